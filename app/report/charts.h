// Small drawings, as SVG inside the page.
#pragma once

#include <string>
#include <vector>

namespace scfe::cli {

// One change against the wished class's own values: a histogram, a hollow dot where the row was, an arrow to
// a full dot where it would be.
std::string change_strip(const std::vector<double>& class_values, double from, double to);

// The same for a category: a bar a level, as high as its share of the wished class.
struct LevelShare {
  std::string level;
  double share = 0;
};
std::string level_strip(const std::vector<LevelShare>& shares, const std::string& from,
                        const std::string& to);

// How often a feature rises and falls.
struct FeatureCount {
  std::string name;
  std::size_t up = 0, down = 0;
  std::size_t other = 0;  // changed to another level: neither up nor down
  std::size_t total() const { return up + down + other; }
};
std::string feature_bars(const std::vector<FeatureCount>& features, std::size_t answers);

// Share of rows with an answer by the number of changes allowed, a line per floor.
struct TradeLine {
  std::string name;
  std::vector<double> share;  // with at most 1, 2, ... changes
};
std::string trade_off(const std::vector<TradeLine>& lines);

// A probability from 0 to 1: where it was, where it is.
std::string probability_bar(double before, double after);

}  // namespace scfe::cli
