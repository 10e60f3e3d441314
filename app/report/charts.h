// Small drawings as inline SVG. Their text has the size of the page's text, because they are drawn about as
// wide as they are shown, on a phone too; what needs long names is made of HTML (report/bars.h).
#pragma once

#include <string>
#include <vector>

namespace scfe::app {

// One changed number compared with the target class: a histogram of its values over an axis with round
// numbers, a hollow dot at the old value and an arrow to a filled dot at the new one.
struct NumberChange {
  double from = 0, to = 0;
  bool whole = false;  // whole numbers, each with a bar of its own where there are few
};
std::string number_strip(const std::vector<double>& class_values, const NumberChange& change);

// The share of rows with an answer by the number of allowed changes; one line per plausibility floor.
struct TradeLine {
  std::string name;
  std::vector<double> share;  // with at most 1, 2, ... changes
};
std::string trade_off(const std::vector<TradeLine>& lines);

// A bar from 0 to 1 with the probability before and after.
std::string probability_bar(double before, double after);

}  // namespace scfe::app
