#include "report/charts.h"

#include <algorithm>
#include <cmath>

#include "report/html_text.h"
#include "report/ticks.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<path class=\"" + style + "\" d=\"M" + coordinate(x1) + " " + coordinate(y1) + "L" +
         coordinate(x2) + " " + coordinate(y2) + "\"/>";
}

std::string circle(double x, double y, double radius, const std::string& style) {
  return "<circle class=\"" + style + "\" cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) + "\" r=\"" +
         coordinate(radius) + "\"/>";
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

// Values along a horizontal axis.
class Scale {
 public:
  static constexpr double width = 320, left = 10, right = 310;
  Scale(double lo, double hi) : lo_(lo), hi_(hi > lo ? hi : lo + 1) {}
  // Halves, because the difference of two large numbers may be infinite.
  double share(double value) const { return (value / 2 - lo_ / 2) / (hi_ / 2 - lo_ / 2); }
  double operator()(double value) const { return left + (right - left) * share(value); }
  double lo() const { return lo_; }
  double hi() const { return hi_; }

 private:
  double lo_, hi_;
};

// The bars as one shape: a report has hundreds of them.
std::string histogram(const std::vector<double>& values, const Scale& x, std::size_t bins, double base) {
  std::vector<std::size_t> count(bins);
  const auto last = static_cast<double>(bins) - 1;
  for (const double value : values)
    ++count[static_cast<std::size_t>(std::clamp(x.share(value) * (last + 1), 0.0, last))];
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(count));
  const double step = (Scale::right - Scale::left) / static_cast<double>(bins);
  std::string shape;
  for (std::size_t i = 0; i < bins; ++i) {
    if (count[i] == 0) continue;
    const double h = std::max(1.0, (base - 3) * static_cast<double>(count[i]) / static_cast<double>(most));
    shape += "M" + coordinate(Scale::left + step * static_cast<double>(i) + 0.5) + " " + coordinate(base) +
             "v" + coordinate(-h) + "h" + coordinate(step - 1) + "v" + coordinate(h) + "z";
  }
  return "<path class=\"bin\" d=\"" + shape + "\"/>";
}

// Round numbers below the axis, as many as have room beside each other.
std::string axis_values(const Scale& x, bool whole, double base) {
  constexpr double letter = 6.4, gap = 18;  // of a text of 11 pixels
  std::vector<Tick> ticks;
  for (std::size_t about = 6; about > 0; --about) {
    ticks = round_ticks(x.lo(), x.hi(), about, whole ? 1 : 0);
    double room = 0;
    for (const Tick& tick : ticks) room += letter * static_cast<double>(tick.text.size()) + gap;
    if (room <= Scale::right - Scale::left) break;
  }
  if (ticks.empty()) ticks = {{x.lo(), three_digits(x.lo())}, {x.hi(), three_digits(x.hi())}};
  std::string inner;
  for (const Tick& tick : ticks) {
    const double at = x(tick.value), half = letter * static_cast<double>(tick.text.size()) / 2;
    inner += line(at, base, at, base + 4, "axis") +
             label(std::clamp(at, half, Scale::width - half), base + 18, "tick", tick.text);
  }
  return inner;
}

}  // namespace

std::string number_strip(const std::vector<double>& class_values, const NumberChange& change) {
  constexpr double height = 54, base = 32, most_bins = 32;
  double lo = std::min(change.from, change.to), hi = std::max(change.from, change.to);
  for (const double value : class_values) lo = std::min(lo, value), hi = std::max(hi, value);
  const bool one_each = change.whole && hi - lo < most_bins;
  if (one_each) lo -= 0.5, hi += 0.5;
  const Scale x(lo, hi);
  const auto bins = static_cast<std::size_t>(one_each ? std::round(hi - lo) : most_bins);
  return drawing(Scale::width, height, "values of the target class, and the change",
                 histogram(class_values, x, bins, base) +
                     line(Scale::left, base, Scale::right, base, "axis") +
                     axis_values(x, change.whole, base) + movement(x(change.from), x(change.to), base));
}

std::string trade_off(const std::vector<TradeLine>& lines) {
  constexpr double left = 46, right = 352, top = 10, bottom = 176, width = 360, height = 206;
  const std::size_t most = lines.empty() ? 1 : lines.front().share.size();
  const auto x = [&](std::size_t m) {
    return most == 1
               ? (left + right) / 2
               : left + 24 + (right - left - 48) * static_cast<double>(m) / static_cast<double>(most - 1);
  };
  const auto y = [&](double share) { return bottom - (bottom - top) * share; };
  std::string inner, key;
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    inner += line(left, y(share), right, y(share), share == 0 ? "axis" : "grid");
    inner += label(left - 8, y(share) + 4, "name", percent(share));
  }
  for (std::size_t m = 0; m < most; ++m)
    inner += label(x(m), bottom + 20, "middle", std::to_string(m + 1) + (m == 0 ? " change" : " changes"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string style = "line" + std::to_string(i % 4);
    std::string points;
    for (std::size_t m = 0; m < lines[i].share.size(); ++m)
      points += (m == 0 ? "M" : "L") + coordinate(x(m)) + " " + coordinate(y(lines[i].share[m]));
    inner += "<path class=\"" + style + "\" d=\"" + points + "\"/>";
    for (std::size_t m = 0; m < lines[i].share.size(); ++m)
      inner += circle(x(m), y(lines[i].share[m]), 3.5, style + "d");
    key += tag("li", "", drawing(28, 10, lines[i].name, line(1, 5, 27, 5, style)) + escaped(lines[i].name));
  }
  return drawing(width, height, "share of rows with an answer by changes allowed", inner) +
         tag("ul", "key", key);
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
