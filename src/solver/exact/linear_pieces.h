// What each feature of a row can add to a linear margin, and at what cost.
#pragma once

#include <vector>

#include "model/additive.h"
#include "solver/exact/linear.h"

namespace scfe {

struct LinearOption {
  double value, gain, cost;
};

struct LinearPiece {
  std::size_t feature = 0;
  bool number = false;
  std::vector<LinearOption> options;  // of a category or a listed number: values that gain
  double slope = 0, weight = 0;       // of a number: gain = slope d, cost = weight d², or weight d
  double reach = 0, sign = 1;         // 0 <= d <= reach; x = x_f + sign d
  double efficiency = 0;              // the largest gain² / cost, or gain / cost
};

// Only features with a positive gain, the most efficient first. Columns that follow from the levels of a
// category (Links::are_maps_of_levels) are a part of what its levels gain.
std::vector<LinearPiece> linear_pieces(const Query& query, const Additive& score, const Row& row);

}  // namespace scfe
