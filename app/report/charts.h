// Small charts as inline SVG.
#pragma once

#include <string>
#include <vector>

namespace scfe::app {

// One change compared with the target class: a histogram of its values, a hollow dot at the old value and an
// arrow to a filled dot at the new one.
std::string change_strip(const std::vector<double>& class_values, double from, double to);

// The same for a category: one bar per level, as high as its share of the target class.
struct LevelShare {
  std::string level;
  double share = 0;
};
std::string level_strip(const std::vector<LevelShare>& shares, const std::string& from,
                        const std::string& to);

// How often a feature goes up and down.
struct FeatureCount {
  std::string name;
  std::size_t up = 0, down = 0;
  std::size_t other = 0;  // changes between levels without an order
  std::size_t total() const { return up + down + other; }
};
std::string feature_bars(const std::vector<FeatureCount>& features, std::size_t answers);

// The share of rows with an answer by the number of allowed changes; one line per plausibility floor.
struct TradeLine {
  std::string name;
  std::vector<double> share;  // with at most 1, 2, ... changes
};
std::string trade_off(const std::vector<TradeLine>& lines);

// A bar from 0 to 1 with the probability before and after.
std::string probability_bar(double before, double after);

}  // namespace scfe::app
