// Actionability: the limits of w = x - x_f of a row in the work space, and the levels a category may take.
//
// The range is that of the training rows (or the user's), extended to include x_f. Immutable features cannot
// move, and features with a direction move one way only. Always lo <= 0 <= hi.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actionability/factual.h"
#include "actionability/space.h"
#include "scfe/feature.h"

namespace scfe {

// True if a feature may change between these values. Keeping the value is always allowed.
bool may_go(const Feature& feature, double from, double to);
// A number, or the name of a level for a category.
std::string value_text(const Feature& feature, double value);

void set_limits(std::span<const Feature> features, const Space& space, Factual& row);

// The limits that restrict the row, for people: "proline <= 1680", "age may not change". Ranges are listed
// only if the nearest point is at their bound.
struct Nearest {
  std::span<const int> support;  // columns
  std::span<const double> w;
};
std::vector<std::string> limits_in_force(std::span<const Feature> features, const Space& space,
                                         const Factual& row, const Nearest& nearest);

}  // namespace scfe
