// The conditions on an answer beyond the limits, the rules, the margin and the floor of its row. They are
// checked on the values as they would be written.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "actionability/factual.h"

namespace scfe {

struct Row;

struct Demand {
  using Values = std::span<const double>;

  // True if the values are stable enough. Empty: no such condition.
  std::function<bool(Values)> allows;
  // The row may have answers already. A further one must not change one of these sets of features (each
  // ascending), or must differ from those answers in its values. Empty: there is no answer yet.
  std::vector<std::vector<int>> taken_supports;
  std::function<bool(Values)> differs;
  // True if the row stays an answer when one of its changes is undone. Empty: such rows are accepted.
  std::function<bool(const Row&, Values)> is_redundant;
  // True: the answer is the valid row with the largest log q, instead of the closest one.
  bool most_plausible = false;

  // True if the row already has an answer.
  bool is_further() const { return !taken_supports.empty() || differs != nullptr; }
  // True if some condition needs the values; knowing which features change is then not enough.
  bool depends_on_values() const { return allows != nullptr || differs != nullptr; }
  bool is_taken(std::span<const int> support) const;
  // Rules between features are conditions as well (Factual::links).
  bool rejects(const Row& row, Values values) const;
};

}  // namespace scfe
