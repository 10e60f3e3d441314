// The style sheet of the report, also for printing, and of its parts in a notebook. Both have the same rules;
// they differ in what the rules apply to, and in how dark mode is told.
#pragma once

#include <string_view>

namespace scfe::app {

inline constexpr std::string_view light_colours = R"css(
--paper: #fff; --ink: #1d2733; --soft: #66727f; --line: #e4e8ed; --pale: #f6f8fa; --accent: #2b6c8c; --warm: #bf7a3a;
--neutral: #8a94a0; --bin: #d3dbe3; --chosen: #a9c4d3; --axis: #b8c2cc; --plum: #7a4a8c; --badge: #fbf1e6; --badge-ink: #8a5420;
)css";

inline constexpr std::string_view dark_colours = R"css(
--paper: #16191d; --ink: #e3e8ed; --soft: #9aa6b2; --line: #323a43; --pale: #1f242a; --accent: #6bb3d6; --warm: #e0a064;
--neutral: #98a3af; --bin: #414b56; --chosen: #3f6a80; --axis: #5c6772; --plum: #c196d3; --badge: #43321f; --badge-ink: #ecc08d;
)css";

inline constexpr std::string_view page_rules = R"css(
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 820px; margin: 0 auto; padding: 40px 24px 64px; }
)css";

inline constexpr std::string_view rules = R"css(
* { box-sizing: border-box; }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 6px; font-weight: 600; }
h2 { font-size: 18px; margin: 40px 0 12px; font-weight: 600; }
h3 { font-size: 15px; margin: 0; font-weight: 600; }
p { margin: 6px 0; } .soft { color: var(--soft); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 24px 0 8px; }
.tile { background: var(--pale); border: 1px solid var(--line); border-radius: 8px; padding: 12px 14px; }
.tile b { display: block; font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; }
th, td { padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th:last-child, td:last-child { padding-right: 0; }
tr:last-child td { border-bottom: 0; }
.n { text-align: right; white-space: nowrap; } .strip { width: 250px; padding: 2px 0; line-height: 0; }
.unit { color: var(--soft); white-space: nowrap; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 14px 18px; margin: 0 0 14px; break-inside: avoid; }
.head { display: flex; align-items: baseline; gap: 14px; margin-bottom: 6px; }
.head .what { flex: 1; } .head .p { color: var(--soft); font-size: 13px; white-space: nowrap; }
.arrow { color: var(--soft); padding: 0 4px; } .wish { color: var(--accent); font-weight: 600; }
.to { font-weight: 600; } .none { color: var(--soft); }
.badge { background: var(--badge); color: var(--badge-ink); border-radius: 4px; padding: 1px 7px; font-size: 12px; }
svg { max-width: 100%; height: auto; vertical-align: middle; } svg text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg .name { text-anchor: end; } svg .middle { text-anchor: middle; fill: var(--soft); } svg .count { fill: var(--soft); }
svg .bin { fill: var(--bin); } svg .chosen { fill: var(--chosen); } svg .share { text-anchor: middle; font-size: 10px; fill: var(--soft); } svg .axis, svg .track { stroke: var(--axis); stroke-width: 1; } svg .track { stroke-width: 3; stroke: var(--line); stroke-linecap: round; }
svg .half { stroke: var(--axis); stroke-dasharray: 2 2; } svg .grid { stroke: var(--line); }
svg .move { stroke: var(--accent); stroke-width: 2; } svg .tip { fill: var(--accent); }
svg .from { fill: var(--paper); stroke: var(--ink); stroke-width: 1.5; } svg .to { fill: var(--accent); stroke: var(--paper); stroke-width: 1; }
svg .rest { fill: var(--pale); } svg .up { fill: var(--accent); } svg .down { fill: var(--warm); } svg .other { fill: var(--neutral); }
svg polyline { fill: none; stroke-width: 2; }
svg .line0 { stroke: var(--neutral); stroke-width: 2; } svg .line1 { stroke: var(--accent); stroke-width: 2; }
svg .line2 { stroke: var(--warm); stroke-width: 2; } svg .line3 { stroke: var(--plum); stroke-width: 2; }
svg .line0d { fill: var(--neutral); } svg .line1d { fill: var(--accent); } svg .line2d { fill: var(--warm); } svg .line3d { fill: var(--plum); }
.legend i { display: inline-block; width: 11px; height: 11px; border-radius: 2px; margin: 0 5px 0 12px; }
.legend .dot { border-radius: 50%; background: var(--accent); } .legend .hollow { border: 1.5px solid var(--ink); background: none; }
.legend .up { background: var(--accent); } .legend .down { background: var(--warm); } .legend .other { background: var(--neutral); }
@media (max-width: 640px) { .tiles { grid-template-columns: repeat(2, 1fr); } .head { flex-wrap: wrap; } .groups { display: block; overflow-x: auto; }
  .changes, .changes tbody { display: block; } .changes tr { display: grid; grid-template-columns: 2fr 1fr 1fr 1fr; border-bottom: 1px solid var(--line); }
  .changes th, .changes td { border: 0; } .changes .n { white-space: normal; overflow-wrap: anywhere; } .changes th:last-child { display: none; } .changes .strip { grid-column: 1 / -1; width: auto; } }
@media print { h2 { break-after: avoid; } * { -webkit-print-color-adjust: exact; print-color-adjust: exact; } }
)css";

inline constexpr std::string_view print_rules = R"css(
@media print { body { font-size: 11px; } main { max-width: none; padding: 0; } }
)css";

// Part of a notebook's or site's page: JupyterLab, VS Code, Colab and MkDocs each say in their own way that
// they are dark, which need not be what the browser prefers.
inline constexpr std::string_view dark_notebooks =
    "[data-jp-theme-light=\"false\"] .scfe, .vscode-dark .scfe, html[theme=\"dark\"] .scfe, "
    "[data-theme=\"dark\"] .scfe, [data-md-color-scheme=\"slate\"] .scfe";

inline constexpr std::string_view notebook_rules = R"css(
.scfe { max-width: 820px; color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
.scfe table { display: table; margin: 0; border: 0; font-size: 14px; }
.scfe tr, .scfe tr:hover { background: none !important; }
.scfe th, .scfe td { text-align: left; border: 0; border-bottom: 1px solid var(--line); background: none; }
.scfe .n { text-align: right; }
)css";

}  // namespace scfe::app
