// The style sheet of the report, also for printing, and of its parts in a notebook. Both have the same rules;
// they differ in what the rules apply to, and in how dark mode is told.
#pragma once

#include <string_view>

namespace scfe::app {

inline constexpr std::string_view light_colours = R"css(
color-scheme: light; --paper: #fff; --ink: #1d2733; --soft: #5c6874; --line: #e1e6eb; --pale: #f5f7f9; --accent: #2b6c8c; --warm: #bf7a3a;
--neutral: #8a94a0; --bin: #ccd5de; --axis: #aab5c0; --plum: #7a4a8c; --badge: #fbf1e6; --badge-ink: #8a5420; --ground: #f5f7f9;
)css";

inline constexpr std::string_view dark_colours = R"css(
color-scheme: dark; --paper: #1a1e23; --ink: #e3e8ed; --soft: #a3aeb9; --line: #323a43; --pale: #22272e; --accent: #6bb3d6; --warm: #e0a064;
--neutral: #98a3af; --bin: #48535f; --axis: #66727e; --plum: #c196d3; --badge: #43321f; --badge-ink: #ecc08d; --ground: #121518;
)css";

inline constexpr std::string_view page_rules = R"css(
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1360px; margin: 0 auto; padding: 40px 24px 64px; }
)css";

inline constexpr std::string_view rules = R"css(
* { box-sizing: border-box; }
h1 { font-size: 28px; line-height: 1.25; margin: 0 0 20px; font-weight: 600; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: 18px; line-height: 1.3; margin: 0 0 10px; font-weight: 600; overflow-wrap: anywhere; }
h3 { font-size: 15px; margin: 14px 0 6px; font-weight: 600; }
p { margin: 6px 0; } ul { list-style: none; margin: 0; padding: 0; } figure { margin: 0; }
.soft { color: var(--soft); font-size: 13px; } code { color: var(--soft); font-size: 12px; white-space: nowrap; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 0 0 16px; }
.tile, .panel, .card { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: 12px 16px; } .tile span { color: var(--soft); font-size: 13px; }
.tile b { display: block; font-size: 26px; line-height: 1.3; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile:first-child b { color: var(--accent); }
.panels { columns: 3 380px; column-gap: 16px; margin: 0 0 16px; } .lead { margin: -12px 0 16px; color: var(--soft); font-size: 17px; }
.panel { padding: 18px 20px; margin: 0 0 16px; min-width: 0; } .panels > .panel { break-inside: avoid; } .panels > .panel:last-child { margin: 0; }
main > h2 { margin: 28px 0 4px; font-size: 20px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: baseline; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; } tr:last-child td { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.asked { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
.asked dt { color: var(--soft); } .asked dd { margin: 0; overflow-wrap: anywhere; }
.bars li { display: grid; grid-template-columns: minmax(70px, 36%) 1fr 88px; gap: 10px; align-items: center; padding: 2px 0; font-size: 14px; }
.bars .name { overflow-wrap: anywhere; line-height: 1.3; } .bars .n { color: var(--soft); font-size: 13px; }
.bars .bar { position: relative; height: 13px; border-radius: 3px; background: var(--pale); }
.bars i { position: absolute; top: 0; bottom: 0; } .bars .fill { background: var(--bin); border-radius: 3px; }
.bars .down { background: var(--warm); } .bars .up { background: var(--accent); } .bars .other { background: var(--neutral); }
.levels li { grid-template-columns: minmax(70px, 36%) 1fr 52px; font-size: 13px; padding: 1px 0; } .levels .name { padding-left: 15px; position: relative; } .levels .bar { background: none; }
.levels .was .name::before, .levels .new .name::before { content: ""; position: absolute; left: 0; top: 4px; width: 9px; height: 9px; border-radius: 50%; border: 1.5px solid var(--ink); }
.levels .new .name::before { background: var(--accent); border-color: var(--accent); } .levels .new .name { font-weight: 600; }
.levels .new .fill { background: var(--accent); } .levels .rest { color: var(--soft); }
.measures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 290px), 1fr)); gap: 18px 32px; margin: 0 0 14px; }
figcaption { font-weight: 600; font-size: 14px; margin: 0 0 4px; }
.intervals li { grid-template-columns: minmax(70px, 36%) 1fr 48px; } .intervals .bar { background: none; border-radius: 0; margin: 0 8px; }
.intervals .bar::before { content: ""; position: absolute; left: 0; right: 0; top: 6px; border-top: 1px solid var(--line); }
.intervals .range { top: 4px; bottom: 4px; background: var(--bin); border-radius: 3px; }
.intervals .mean { top: 1px; bottom: 1px; width: 11px !important; margin-left: -5.5px; border-radius: 50%; background: var(--accent); }
.scale .bar { height: 18px; } .scale .bar::before { top: 0 !important; } .scale .bar span { position: absolute; transform: translateX(-50%); color: var(--soft); font-size: 12px; white-space: nowrap; }
.tables { margin: 6px 0 0; } .tables summary { cursor: pointer; color: var(--soft); font-size: 14px; } .tables table { margin: 6px 0 14px; }
.tools { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: center; margin: 10px 0 14px; font-size: 14px; color: var(--soft); } .tools[hidden] { display: none; }
.tools label { display: flex; align-items: center; gap: 6px; max-width: 100%; }
.tools input, .tools select, .tools button, .more { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--axis); border-radius: 6px; padding: 5px 10px; min-width: 0; max-width: 100%; } .tools select { width: 210px; }
.tools button, .more { cursor: pointer; } .more { display: block; margin: 16px auto 0; padding: 8px 22px; } .more[hidden] { display: none; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 14px; align-items: start; }
.card { padding: 12px 16px; min-width: 0; break-inside: avoid; } .card.out, .card.later { display: none; }
.card summary { cursor: pointer; overflow-wrap: anywhere; } .card summary h3 { display: inline; margin: 0 8px 0 0; } .card[open] summary { margin-bottom: 8px; }
.card:not([open]) summary::after { content: attr(data-changes); display: block; color: var(--soft); font-size: 13px; margin-left: 16px; }
.arrow { color: var(--soft); padding: 0 5px; } .wish { color: var(--accent); font-weight: 600; } .none { color: var(--soft); overflow-wrap: anywhere; }
.changes { margin: 0 0 8px; } .changes > li { padding: 7px 0 5px; border-top: 1px solid var(--line); }
.change { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin: 0 0 2px; overflow-wrap: anywhere; } .change b { font-weight: 600; }
.values { font-variant-numeric: tabular-nums; } .unit { color: var(--soft); font-size: 13px; }
.badge { display: inline-block; background: var(--badge); color: var(--badge-ink); border-radius: 4px; padding: 0 7px; font-size: 12px; }
.card p { font-size: 14px; overflow-wrap: anywhere; } .card .soft { font-size: 13px; } .p { display: flex; flex-wrap: wrap; align-items: center; gap: 0 8px; } .p span { white-space: nowrap; }
svg { max-width: 100%; height: auto; vertical-align: middle; } svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--soft); }
.changes svg, .panel > svg { display: block; width: 100%; max-width: 420px; margin: 0 auto; } svg .tick { text-anchor: middle; font-size: 11px; }
svg .name { text-anchor: end; } svg .middle { text-anchor: middle; }
svg path { fill: none; } svg .bin { fill: var(--bin); } svg .axis { stroke: var(--axis); } svg .track { stroke-width: 3; stroke: var(--line); stroke-linecap: round; }
svg .half { stroke: var(--axis); stroke-dasharray: 2 2; } svg .grid { stroke: var(--line); }
svg .move { stroke: var(--accent); stroke-width: 2; } svg .tip { fill: var(--accent); }
svg .from { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; } svg .to { fill: var(--accent); stroke: var(--paper); stroke-width: 1; }
svg .line0 { stroke: var(--neutral); stroke-width: 2; } svg .line1 { stroke: var(--accent); stroke-width: 2; }
svg .line2 { stroke: var(--warm); stroke-width: 2; stroke-dasharray: 7 3; } svg .line3 { stroke: var(--plum); stroke-width: 2; stroke-dasharray: 2 3; }
svg .line0d { fill: var(--neutral); } svg .line1d { fill: var(--accent); } svg .line2d { fill: var(--warm); } svg .line3d { fill: var(--plum); }
.key { display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 13px; color: var(--soft); justify-content: center; } .key svg { margin-right: 6px; }
.legend span { white-space: nowrap; } .legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin: 0 5px 0 10px; vertical-align: -1px; }
.legend .dot { border-radius: 50%; background: var(--accent); } .legend .hollow { border: 1.5px solid var(--ink); background: none; }
.legend .up { background: var(--accent); } .legend .down { background: var(--warm); } .legend .other { background: var(--neutral); }
.groups .group { font-weight: 600; }
@media (max-width: 640px) { main { padding: 24px 12px 48px; } h1 { font-size: 22px; } .panel { padding: 14px; } .tile { padding: 10px 12px; } .tiles { gap: 8px; grid-template-columns: 1fr 1fr; }
  .asked { grid-template-columns: 1fr; gap: 0; } .asked dt { font-size: 13px; } .asked dd { margin: 0 0 8px; }
  .groups tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--line); } .groups tr:first-child { display: none; }
  .groups td { display: flex; justify-content: space-between; gap: 12px; padding: 1px 0; border: 0; } .groups td:empty { display: none; } .groups td::before { content: attr(data-name); color: var(--soft); font-weight: 400; }
  .tools label { flex: 1 1 100%; } .tools input, .tools select { flex: 1; } }
@media print { h2 { break-after: avoid; } .panel, .tile, .bars li { break-inside: avoid; } .tools, .more { display: none; } .card.later { display: block; }
  .card::details-content { content-visibility: visible; } * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
)css";

inline constexpr std::string_view print_rules = R"css(
@media print { body { font-size: 13px; background: none; } main { max-width: none; padding: 0; } }
)css";

// Part of a notebook's or site's page: JupyterLab, VS Code, Colab and MkDocs each say in their own way that
// they are dark, which need not be what the browser prefers.
inline constexpr std::string_view dark_notebooks =
    "[data-jp-theme-light=\"false\"] .scfe, .vscode-dark .scfe, html[theme=\"dark\"] .scfe, "
    "[data-theme=\"dark\"] .scfe, [data-md-color-scheme=\"slate\"] .scfe";

inline constexpr std::string_view notebook_rules = R"css(
.scfe { max-width: 1100px; color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.scfe ul, .scfe li, .scfe p { margin-left: 0; } .scfe ul { list-style: none !important; padding: 0; }
.scfe table { display: table; margin: 0; border: 0; font-size: 14px; }
.scfe tr, .scfe tr:hover { background: none !important; }
.scfe th, .scfe td { text-align: left; border: 0; border-bottom: 1px solid var(--line); background: none; }
.scfe .n { text-align: right; }
)css";

}  // namespace scfe::app
