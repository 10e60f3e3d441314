// Limits of single rows beside those of the features: what this one applicant can do.
//
// In a file they are columns of the query beside the features' own (Encoder::row_limits); an empty cell
// limits nothing:
//     amount:min   amount:max   a number (or a level of an ordinal feature)
//     savings:fixed             1, true, yes: may not change; 0, false, no
//     log_density:min           a number: the row's own floor in place of that of `plausible`, to ask for the
//                               closest answer that is as typical as another one
// The narrower of both limits holds, and a row's own value always stays possible.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scfe/feature.h"

namespace scfe {

struct FeatureLimit {
  std::size_t feature = 0;  // its position
  std::optional<double> min = {}, max = {};
  bool fixed = false;
};

struct RowLimits {
  std::vector<FeatureLimit> features = {};
  std::optional<double> log_density = {};  // at least so much; empty: as the question says
};

// Features as completed (Explainer::features()) with the limits of one row in them. Error on min > max, on a
// range of a category, and on a feature that is not there.
std::vector<Feature> limited(std::vector<Feature> features, const RowLimits& limits);

}  // namespace scfe
