// Charts of bars beside names. They are HTML, so that names wrap and keep their size on a phone.
#pragma once

#include <string>
#include <vector>

#include "ask/audit.h"

namespace scfe::app {

// A changed level compared with the target class: one bar per level, as long as its share of the class.
// Levels without an order are sorted by share; of many the most frequent are shown, and always the two of the
// change.
struct LevelShare {
  std::string level;
  double share = 0;
};
std::string level_bars(const std::vector<LevelShare>& shares, const std::string& from, const std::string& to,
                       bool ordered);

// How often a feature goes up and down.
struct FeatureCount {
  std::string name;
  std::size_t up = 0, down = 0;
  std::size_t other = 0;  // changes between levels without an order
  std::size_t total() const { return up + down + other; }
};
std::string feature_bars(const std::vector<FeatureCount>& features, std::size_t answers);

// Means of groups on one scale, each with its interval.
struct GroupMean {
  std::string name;
  Interval interval;
  bool any = false;  // false: no rows to take a mean of
};
struct GroupMeasure {
  std::string title;
  bool share = false;  // from 0 to 100 %; otherwise from 0 to the largest
  std::vector<GroupMean> groups;
};
std::string interval_chart(const GroupMeasure& measure);

}  // namespace scfe::app
