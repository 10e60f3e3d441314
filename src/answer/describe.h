// Turns what a solver found into an Explanation, and compares answers.
#pragma once

#include <span>
#include <vector>

#include "query/query.h"
#include "query/row.h"
#include "scfe/explanation.h"
#include "solver/found.h"

namespace scfe {

using Lists = std::vector<std::vector<Explanation>>;  // the answers of each row

// How far two rows of values lie apart in the work space.
struct Lengths {
  double l1 = 0, l2 = 0;
  double distance = 0;  // what options.distance minimises
};
Lengths lengths_of(const Space& space, std::span<const double> from, std::span<const double> to);

Explanation describe(const Query& query, const Row& row, const Found& found);

// True if `a` is preferred. A valid answer comes before one below the floor, which comes before none. Among
// valid ones fewer changes win if fewest_first; below the floor the more typical wins; then the closer one.
bool closer(const Explanation& a, const Explanation& b, bool fewest_first);

// Removes below_floor answers if a valid one exists.
void drop_below_floor(std::vector<Explanation>& list);

// The features that an answer changes, ascending.
std::vector<int> support_of(const Explanation& e);

}  // namespace scfe
