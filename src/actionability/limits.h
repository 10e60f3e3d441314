// Actionability: where each feature of a row may go, as limits of w = x - x_f in the work space, and the
// levels that a category may take.
//
// The range is the training rows' hull (or the user's) with x_f itself, so that a factual outside stays
// representable; immutable features get no room, one-way features half of it. Always lo <= 0 <= hi.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "actionability/space.h"
#include "query/instance.h"
#include "scfe/feature.h"

namespace scfe {

// Fills in what the user left open (names, ranges, steps) from the training rows; Error on nonsense.
// `inputs` of the model have to be as many as the features take.
std::vector<Feature> complete_features(std::vector<Feature> features, const Matrix& inputs);

// Whether a value may follow another within the limits, its own always.
bool may_go(const Feature& feature, double from, double to);
// A number, or the name of a level.
std::string value_text(const Feature& feature, double value);

void set_limits(std::span<const Feature> features, const Space& space, Instance& instance);

// The limits in force, for people: "proline <= 1680", "age may not change"; of ranges those that the nearest
// point touches.
struct Nearest {
  std::span<const int> support;  // columns
  std::span<const double> w;
};
std::vector<std::string> limits_in_force(std::span<const Feature> features, const Space& space,
                                         const Instance& instance, const Nearest& nearest);

}  // namespace scfe
