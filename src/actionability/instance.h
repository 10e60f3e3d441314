// One factual and what it may do.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scfe {

class Links;
struct Feature;

struct Instance {
  // Features with the limits of this row alone in them; null: it has none.
  std::shared_ptr<const std::vector<Feature>> own;
  std::vector<double> values;   // x_f as people see it: a number or the place of a level for each feature
  std::vector<double> factual;  // x_f in the work space
  std::vector<double> lo, hi;   // limits of w = x - x_f for each column; lo <= 0 <= hi
  // Of a category: the places of the levels it may take, its own among them. Empty for numbers.
  std::vector<std::vector<int>> levels;
  std::vector<float> anchor;           // what the density wants to know of x_f
  std::optional<double> floor;         // least log-density
  bool strict = false;                 // an answer below the floor is of no use
  double extra_margin = 0;             // beyond the one that all rows have to reach
  std::shared_ptr<const Links> links;  // rules between features; null: none
  // What else an answer has to obey, asked of its values as written; empty: nothing.
  std::function<bool(std::span<const double> values)> allowed;
  // Supports of other answers for the row, ascending: this one has to change other features.
  std::vector<std::vector<int>> taken;

  bool is_taken(std::span<const int> support) const {
    return std::ranges::any_of(taken,
                               [&](const std::vector<int>& t) { return std::ranges::equal(t, support); });
  }
  // Whether an answer with these values, as written, is neither forbidden nor taken.
  bool admits(std::span<const double> other) const;
};

}  // namespace scfe
