#include "report/bars.h"

#include <algorithm>
#include <numeric>

#include "report/html_text.h"
#include "report/ticks.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

constexpr std::size_t most_levels = 6;

// A part of a bar, from and to as shares of its length.
std::string segment(const char* style, double from, double to) {
  return "<i class=\"" + std::string(style) + "\" style=\"left:" + coordinate(100 * from) +
         "%;width:" + coordinate(100 * std::max(0.0, to - from)) + "%\"></i>";
}

// A name that may be broken after its underscores.
std::string breakable(const std::string& name) {
  std::string text;
  for (const char c : escaped(name)) text += c == '_' ? std::string("_<wbr>") : std::string(1, c);
  return text;
}

std::string bar_row(const std::string& style, const std::string& name, const std::string& bar,
                    const std::string& value) {
  return tag("li", style,
             tag("span", "name", breakable(name)) + tag("span", "bar", bar) +
                 tag("span", "n", escaped(value))) +
         "\n";
}

double part_of(std::size_t count, std::size_t all) {
  return static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(all, 1));
}

}  // namespace

std::string level_bars(const std::vector<LevelShare>& shares, const std::string& from, const std::string& to,
                       bool ordered) {
  std::vector<std::size_t> shown(shares.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  const auto is_end = [&](std::size_t i) { return shares[i].level == from || shares[i].level == to; };
  std::ranges::stable_sort(shown, [&](std::size_t a, std::size_t b) {
    return is_end(a) != is_end(b) ? is_end(a) : shares[a].share > shares[b].share;
  });
  const std::size_t hidden = shown.size() > most_levels ? shown.size() - most_levels : 0;
  double rest = 0;
  for (std::size_t i = shown.size() - hidden; i < shown.size(); ++i) rest += shares[shown[i]].share;
  shown.resize(shown.size() - hidden);
  if (ordered)
    std::ranges::sort(shown);
  else
    std::ranges::stable_sort(shown,
                             [&](std::size_t a, std::size_t b) { return shares[a].share > shares[b].share; });
  double most = 0;
  for (const std::size_t i : shown) most = std::max(most, shares[i].share);
  std::string rows;
  for (const std::size_t i : shown) {
    const LevelShare& s = shares[i];
    rows += bar_row(s.level == from ? "was"
                    : s.level == to ? "new"
                                    : "",
                    s.level, segment("fill", 0, most > 0 ? s.share / most : 0), percent(s.share));
  }
  if (hidden > 0) rows += bar_row("rest", counted(hidden, "further level"), "", percent(rest));
  return tag("ul", "bars levels", rows);
}

std::string feature_bars(const std::vector<FeatureCount>& features, std::size_t answers) {
  std::string rows;
  for (const FeatureCount& f : features) {
    const double down = part_of(f.down, answers), up = down + part_of(f.up, answers),
                 all = up + part_of(f.other, answers);
    rows +=
        bar_row("", f.name, segment("down", 0, down) + segment("up", down, up) + segment("other", up, all),
                std::to_string(f.total()) + " (" + percent(all) + ")");
  }
  return tag("ul", "bars", rows);
}

std::string interval_chart(const GroupMeasure& measure) {
  double most = 0;
  for (const GroupMean& group : measure.groups)
    if (group.any) most = std::max(most, group.interval.known ? group.interval.hi : group.interval.mean);
  if (measure.share || !(most > 0)) most = 1;
  // The scale ends at a round number.
  std::vector<Tick> ticks = round_ticks(0, 1.5 * most, 3);
  std::erase_if(ticks, [&](const Tick& tick) { return measure.share && tick.value > 1 + 1e-9; });
  while (!measure.share && ticks.size() > 2 && ticks[ticks.size() - 2].value >= most) ticks.pop_back();
  const double end = ticks.empty() ? most : ticks.back().value;
  std::string rows, scale;
  for (const GroupMean& group : measure.groups) {
    const Interval& i = group.interval;
    std::string bar;
    if (group.any && i.known) bar += segment("range", i.lo / end, i.hi / end);
    if (group.any) bar += segment("mean", i.mean / end, i.mean / end);
    rows += bar_row("", group.name, bar,
                    !group.any      ? "-"
                    : measure.share ? percent(i.mean)
                                    : three_digits(i.mean));
  }
  for (const Tick& tick : ticks)
    scale += "<span style=\"left:" + coordinate(100 * tick.value / end) + "%\">" +
             escaped(measure.share ? percent(tick.value) : tick.text) + "</span>";
  rows += tag("li", "scale", tag("span", "name", "") + tag("span", "bar", scale) + tag("span", "n", ""));
  return tag("figure", "",
             tag("figcaption", "", escaped(measure.title)) + tag("ul", "bars intervals", rows)) +
         "\n";
}

}  // namespace scfe::app
