// Limits of single rows, in addition to those of the features: what this one applicant can do.
//
// In a file they are further columns of the query (Encoder::row_limits). An empty cell sets no limit:
//     amount:min   amount:max   a number (or a level of an ordinal feature)
//     savings:fixed             1, true, yes: may not change; 0, false, no
//     log_density:min           a number that replaces the floor of `plausible` for this row, for example to
//                               find the closest answer that is as typical as another one
// Of two limits on a feature the narrower applies, and the row's own value is always allowed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scfe/feature.h"

namespace scfe {

struct FeatureLimit {
  std::size_t feature = 0;  // its index
  std::optional<double> min = {}, max = {};
  bool fixed = false;
};

struct RowLimits {
  std::vector<FeatureLimit> features = {};
  std::optional<double> log_density = {};  // least log-density; empty: the floor of the options
};

// The completed features (Explainer::features()) with the limits of one row. Throws on min > max, a range for
// a category, or an unknown feature.
std::vector<Feature> limited(std::vector<Feature> features, const RowLimits& limits);

}  // namespace scfe
