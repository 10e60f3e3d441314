#include "report/front.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/html_text.h"
#include "report/ticks.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

bool is_measured(const ComparedRow& row) { return row.reason.empty() && row.report.lof.count > 0; }

// Smaller is better in each.
std::array<double, 4> losses(const Report& report) {
  return {-report.validity, report.l2.mean, report.lof.mean, report.l0.mean};
}

bool dominates(const Report& a, const Report& b) {
  const std::array<double, 4> x = losses(a), y = losses(b);
  return x != y && std::ranges::equal(x, y, std::less_equal<>());
}

constexpr double left = 64, right = 444, top = 34, bottom = 344, width = 860, row_height = 19;
constexpr double key_left = right + 40, key_top = top + 4;
constexpr std::string_view ink = "#1d2733", soft = "#66727f", grid = "#e4e8ed";

// Places values along one side of the picture, in logarithms if they span more than a decade.
class Axis {
 public:
  Axis(std::vector<double> values, double from, double to) : from_(from), to_(to) {
    auto [least, greatest] = std::ranges::minmax(values);
    log_ = least > 0 && greatest > 10 * least;
    lo_ = place(least), hi_ = place(greatest);
    // Means that differ by rounding alone count as equal: ticks between them could not be told apart.
    const bool differ = hi_ - lo_ > 1e-9 * std::max(std::abs(lo_), std::abs(hi_));
    const double room = differ ? 0.06 * (hi_ - lo_) : std::max(0.5 * std::abs(hi_), 0.5);
    lo_ -= room, hi_ += room;
  }
  double operator()(double value) const { return from_ + (to_ - from_) * (place(value) - lo_) / (hi_ - lo_); }
  bool is_log() const { return log_; }

  std::vector<double> ticks() const {
    std::vector<double> ticks;
    if (log_) {
      for (double decade = std::floor(lo_); decade <= hi_; ++decade)
        for (const double digit : {1, 2, 5}) add(ticks, digit * std::pow(10, decade));
      return ticks;
    }
    for (const Tick& tick : round_ticks(lo_, hi_, 5)) ticks.push_back(tick.value);
    return ticks;
  }

 private:
  double place(double value) const { return log_ ? std::log10(value) : value; }
  void add(std::vector<double>& ticks, double tick) const {
    if (place(tick) >= lo_ && place(tick) <= hi_) ticks.push_back(tick);
  }
  double from_, to_, lo_ = 0, hi_ = 1;
  bool log_ = false;
};

std::string line(double x1, double y1, double x2, double y2, std::string_view colour) {
  return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) +
         "\" y2=\"" + coordinate(y2) + "\" stroke=\"" + std::string(colour) + "\"/>\n";
}

std::string text(double x, double y, std::string_view anchor, const std::string& inner,
                 std::string_view more = "") {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" +
         std::string(anchor) + "\"" + std::string(more) + ">" + escaped(inner) + "</text>\n";
}

// From light to dark as l0 grows.
std::string shade(double l0, double least, double greatest) {
  const double t = greatest > least ? (l0 - least) / (greatest - least) : 0;
  const std::array<double, 3> light{122, 190, 214}, dark{16, 42, 84};
  std::string colour = "rgb(";
  for (std::size_t i = 0; i < 3; ++i)
    colour += std::to_string(std::lround(light[i] + t * (dark[i] - light[i]))) + (i < 2 ? "," : ")");
  return colour;
}

std::string dot(double x, double y, const std::string& colour, bool filled) {
  return "<circle cx=\"" + coordinate(x) + "\" cy=\"" + coordinate(y) + "\" r=\"5.5\" stroke=\"" + colour +
         "\" stroke-width=\"2\" fill=\"" + (filled ? colour : "#fff") + "\"/>\n";
}

struct Spot {
  double x, y;
};

// A place for the number of each dot, near it and off the dots and numbers placed so far.
std::vector<Spot> label_places(const std::vector<Spot>& dots) {
  constexpr std::array<Spot, 8> around = {
      {{0, -10}, {12, -7}, {-12, -7}, {14, 4}, {-14, 4}, {12, 15}, {-12, 15}, {0, 19}}};
  std::vector<Spot> placed;
  for (const Spot& at : dots) {
    const auto room = [&](const Spot& offset) {
      const Spot here{at.x + offset.x, at.y + offset.y - 4};  // the middle of the text
      double least = 1e9;
      for (const Spot& d : dots) least = std::min(least, std::hypot(d.x - here.x, d.y - here.y));
      for (const Spot& p : placed) least = std::min(least, std::hypot(p.x - here.x, p.y - 4 - here.y));
      return std::min(least, 10.0);  // more room than a number needs is not better
    };
    const Spot& best = *std::ranges::max_element(around, {}, room);
    placed.push_back({at.x + best.x, at.y + best.y});
  }
  return placed;
}

std::string axes(const Axis& x, const Axis& y) {
  std::string inner;
  for (const double tick : y.ticks())
    inner +=
        line(left, y(tick), right, y(tick), grid) + text(left - 8, y(tick) + 4, "end", three_digits(tick));
  for (const double tick : x.ticks())
    inner +=
        line(x(tick), top, x(tick), bottom, grid) + text(x(tick), bottom + 17, "middle", three_digits(tick));
  inner += line(left, bottom, right, bottom, soft) + line(left, top, left, bottom, soft);
  const auto name = [](const std::string& what, const Axis& axis) {
    return what + (axis.is_log() ? ", logarithmic" : "");
  };
  inner += text((left + right) / 2, bottom + 38, "middle", name("mean l2: closer to the left", x));
  return inner + text(left - 48, top - 16, "start", name("mean LOF: more plausible below", y));
}

}  // namespace

std::vector<bool> front_of(const Comparison& comparison) {
  std::vector<bool> front;
  for (const ComparedRow& row : comparison.rows)
    front.push_back(is_measured(row) && std::ranges::none_of(comparison.rows, [&](const ComparedRow& other) {
                      return is_measured(other) && dominates(other.report, row.report);
                    }));
  return front;
}

std::string front_picture(const Comparison& comparison) {
  std::vector<double> l2, lof, l0;
  for (const ComparedRow& row : comparison.rows)
    if (is_measured(row)) {
      l2.push_back(row.report.l2.mean);
      lof.push_back(row.report.lof.mean);
      l0.push_back(row.report.l0.mean);
    }
  std::string inner;
  if (l2.empty()) inner = text(left, top, "start", "no method has a valid answer");
  const std::vector<bool> front = front_of(comparison);
  double key = key_top;
  if (!l2.empty()) {
    const Axis x(l2, left, right), y(lof, bottom, top);
    const auto [least, greatest] = std::ranges::minmax(l0);
    inner = axes(x, y);
    std::vector<Spot> dots;
    for (std::size_t i = 0; i < l2.size(); ++i) dots.push_back({x(l2[i]), y(lof[i])});
    const std::vector<Spot> labels = label_places(dots);
    inner += text(key_left, key, "start", "valid", " font-weight=\"600\"") +
             text(key_left + 66, key, "start", "l0", " font-weight=\"600\"") +
             text(key_left + 130, key, "start", "method", " font-weight=\"600\"");
    for (std::size_t r = 0, i = 0; r < comparison.rows.size(); ++r) {
      const ComparedRow& row = comparison.rows[r];
      if (!is_measured(row)) continue;
      const std::string colour = shade(l0[i], least, greatest), n = std::to_string(i + 1);
      inner += dot(dots[i].x, dots[i].y, colour, front[r]) + text(labels[i].x, labels[i].y, "middle", n);
      key += row_height;
      inner += text(key_left, key, "start", percent(row.report.validity)) +
               text(key_left + 66, key, "start", three_digits(l0[i])) +
               dot(key_left + 116, key - 4, colour, front[r]) +
               text(key_left + 130, key, "start", n + "  " + row.name);
      ++i;
    }
    inner +=
        text(key_left, key + 2 * row_height, "start", "Filled: on the front of l2, LOF, l0 and validity.");
    inner += text(key_left, key + 3 * row_height, "start", "Darker: more features change.");
  }
  const double height = std::max(bottom + 52, key + 4 * row_height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(width) + " " +
         coordinate(height) + "\" width=\"" + coordinate(width) + "\" height=\"" + coordinate(height) +
         "\" font-family=\"system-ui, 'DejaVu Sans', sans-serif\" font-size=\"13\" fill=\"" +
         std::string(ink) +
         "\">\n<title>LOF, l2 and l0 of the compared methods</title>\n<rect width=\"100%\" height=\"100%\" "
         "fill=\"#fff\"/>\n" +
         inner + "</svg>\n";
}

}  // namespace scfe::app
