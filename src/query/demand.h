// What an answer has to satisfy beyond the limits, the margin and the floor of its row, asked of the row as
// it would be written.
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

  // Conditions of the question: the rules between features, stability. Empty: none.
  std::function<bool(Values)> allows;
  // Answers that the row already has. A further one must change another set of features (each ascending), or
  // must differ from them in its values; empty: there are none.
  std::vector<std::vector<int>> taken_supports;
  std::function<bool(Values)> differs;
  // True if the row stays an answer when one of its changes is undone. Empty: such rows are welcome.
  std::function<bool(const Row&, Values)> is_redundant;
  // An answer below the floor is of no use.
  bool strict = false;

  // A further answer of a row that has one.
  bool is_further() const { return !taken_supports.empty() || differs != nullptr; }
  // Some condition depends on the values, so that a support alone does not decide.
  bool depends_on_values() const { return allows != nullptr || differs != nullptr; }
  bool is_taken(std::span<const int> support) const;
  bool rejects(const Row& row, Values values) const;
};

}  // namespace scfe
