#include "report/charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html_text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string rectangle(double x, double y, double width, double height, const char* style) {
  return "<rect class=\"" + std::string(style) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\" width=\"" + coordinate(width) + "\" height=\"" + coordinate(height) + "\"/>";
}

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return "<line class=\"" + std::string(style) + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) +
         "\" x2=\"" + coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>";
}

std::string circle(double x, double y, double radius, const char* style) {
  return "<circle class=\"" + std::string(style) + "\" cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) +
         "\" r=\"" + coordinate(radius) + "\"/>";
}

std::string label(double x, double y, const char* style, const std::string& text) {
  return "<text class=\"" + std::string(style) + "\" x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) +
         "\">" + escaped(text) + "</text>";
}

std::string drawing(double width, double height, const std::string& title, const std::string& inner) {
  const std::string w = coordinate(width), h = coordinate(height);
  return "<svg viewBox=\"0 0 " + w + " " + h + "\" width=\"" + w + "\" height=\"" + h +
         "\" role=\"img\"><title>" + escaped(title) + "</title>" + inner + "</svg>";
}

// An arrow along the base line from a hollow dot to a filled one.
std::string movement(double from, double to, double base) {
  const double side = to > from ? 1 : -1;
  std::string inner = line(from, base, to, base, "move");
  if (std::abs(to - from) > 16)
    inner += "<path class=\"tip\" d=\"M" + coordinate(to - 5.5 * side) + " " + coordinate(base) + "l" +
             coordinate(-6 * side) + " -3.5v7z\"/>";
  return inner + circle(from, base, 4, "from") + circle(to, base, 4.5, "to");
}

}  // namespace

std::string change_strip(const std::vector<double>& class_values, double from, double to) {
  constexpr double width = 250, height = 38, base = 28, left = 7, right = 243;
  constexpr std::size_t bins = 32;
  double lo = std::min(from, to), hi = std::max(from, to);
  for (const double value : class_values) lo = std::min(lo, value), hi = std::max(hi, value);
  if (!(hi > lo)) hi = lo + 1;
  // Halves, because the difference of two large numbers may be infinite.
  const auto share = [&](double value) { return (value / 2 - lo / 2) / (hi / 2 - lo / 2); };
  const auto at = [&](double value) { return left + (right - left) * share(value); };
  std::array<std::size_t, bins> count{};
  for (const double value : class_values)
    ++count[static_cast<std::size_t>(std::clamp(share(value) * bins, 0.0, bins - 1.0))];
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(count));
  std::string inner;
  const double step = (right - left) / bins;
  for (std::size_t i = 0; i < bins; ++i) {
    if (count[i] == 0) continue;
    const double h = std::max(1.0, (base - 3) * static_cast<double>(count[i]) / static_cast<double>(most));
    inner += rectangle(left + step * static_cast<double>(i) + 0.5, base - h, step - 1, h, "bin");
  }
  inner += line(left, base, right, base, "axis") + movement(at(from), at(to), base);
  return drawing(width, height, "change against the target class", inner);
}

std::string level_strip(const std::vector<LevelShare>& shares, const std::string& from,
                        const std::string& to) {
  constexpr double width = 250, height = 58, top = 14, base = 48, left = 7, right = 243, widest = 46;
  const double step = (right - left) / static_cast<double>(std::max<std::size_t>(shares.size(), 1));
  const double bar = std::min(step - 2, widest);
  double most = 0, x1 = left, x2 = left;
  for (const LevelShare& s : shares) most = std::max(most, s.share);
  std::string inner;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const LevelShare& s = shares[i];
    const double middle = left + step * (static_cast<double>(i) + 0.5);
    const double h = most > 0 ? std::max(1.0, (base - top) * s.share / most) : 1;
    inner += "<g><title>" + escaped(s.level + ": " + percent(s.share)) + "</title>" +
             rectangle(middle - bar / 2, base - h, bar, h, s.level == to ? "bin chosen" : "bin") + "</g>";
    if (s.level == from) x1 = middle;
    if (s.level == to) x2 = middle;
    if (s.level == from || s.level == to) inner += label(middle, base - h - 3, "share", percent(s.share));
  }
  inner += line(left, base, right, base, "axis") + movement(x1, x2, base);
  return drawing(width, height, "levels of the target class", inner);
}

std::string feature_bars(const std::vector<FeatureCount>& features, std::size_t answers) {
  constexpr double row = 22, name_width = 190, bar_width = 380, width = 660;
  std::string inner;
  double y = 0;
  for (const FeatureCount& f : features) {
    const double unit = bar_width / static_cast<double>(std::max<std::size_t>(answers, 1));
    const double up = unit * static_cast<double>(f.up), down = unit * static_cast<double>(f.down),
                 other = unit * static_cast<double>(f.other);
    inner += label(name_width - 10, y + 15, "name", f.name);
    inner += rectangle(name_width, y + 4, bar_width, 14, "rest");
    inner += rectangle(name_width, y + 4, down, 14, "down");
    inner += rectangle(name_width + down, y + 4, up, 14, "up");
    inner += rectangle(name_width + down + up, y + 4, other, 14, "other");
    inner += label(
        name_width + bar_width + 10, y + 15, "count",
        std::to_string(f.total()) + " (" +
            percent(static_cast<double>(f.total()) / static_cast<double>(std::max<std::size_t>(answers, 1))) +
            ")");
    y += row;
  }
  return drawing(width, std::max(y, row), "features by how often they change", inner);
}

std::string trade_off(const std::vector<TradeLine>& lines) {
  constexpr double left = 46, right = 400, top = 12, bottom = 170, width = 660, height = 206;
  const std::size_t most = lines.empty() ? 1 : lines.front().share.size();
  const auto x = [&](std::size_t m) {
    return most == 1
               ? (left + right) / 2
               : left + 24 + (right - left - 48) * static_cast<double>(m) / static_cast<double>(most - 1);
  };
  const auto y = [&](double share) { return bottom - (bottom - top) * share; };
  std::string inner;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    inner += line(left, y(share), right, y(share), share == 0 ? "axis" : "grid");
    inner += label(left - 8, y(share) + 4, "name", percent(share));
  }
  for (std::size_t m = 0; m < most; ++m)
    inner += label(x(m), bottom + 18, "middle", std::to_string(m + 1) + (m == 0 ? " change" : " changes"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string style = "line" + std::to_string(i % 4);
    std::string points;
    for (std::size_t m = 0; m < lines[i].share.size(); ++m)
      points += coordinate(x(m)) + "," + coordinate(y(lines[i].share[m])) + " ";
    inner.append("<polyline class=\"").append(style).append("\" points=\"").append(points).append("\"/>");
    for (std::size_t m = 0; m < lines[i].share.size(); ++m)
      inner += circle(x(m), y(lines[i].share[m]), 3, (style + "d").c_str());
    const double key = top + 16 + 22 * static_cast<double>(i);
    inner += line(right + 30, key - 4, right + 56, key - 4, style.c_str());
    inner += label(right + 64, key, "key", lines[i].name);
  }
  return drawing(width, height, "share of rows with an answer by changes allowed", inner);
}

std::string probability_bar(double before, double after) {
  constexpr double width = 120, height = 14, left = 5, right = 115, middle = 7;
  const double x1 = left + (right - left) * before, x2 = left + (right - left) * after;
  return drawing(width, height, "probability of the target class",
                 line(left, middle, right, middle, "track") +
                     line((left + right) / 2, 2, (left + right) / 2, 12, "half") +
                     line(x1, middle, x2, middle, "move") + circle(x1, middle, 3.5, "from") +
                     circle(x2, middle, 4, "to"));
}

}  // namespace scfe::app
