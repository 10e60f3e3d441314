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

// Where a search for one change more begins.
struct Footing {
  std::size_t changes = 0;                // that were allowed
  std::vector<double> answer;             // the closest so far, as written; empty: none within the floor
  bool proven = false;                    // that it is
  std::vector<std::vector<double>> beam;  // rows with as many changes that one more may complete
};

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
  // Supports of other answers for the row, ascending: this one has to change other features. Or, by its
  // values, how it has to differ from them; empty: not at all.
  std::vector<std::vector<int>> taken;
  std::function<bool(std::span<const double> values)> apart;
  // Whether an answer could do without one of its changes and is refused for it; empty: not asked.
  std::function<bool(const Instance& instance, std::span<const double> values)> padded;
  // Of a path: what was found with fewer changes; null: nothing yet.
  std::shared_ptr<const Footing> footing;

  bool is_further() const { return !taken.empty() || apart != nullptr; }

  bool is_taken(std::span<const int> support) const {
    return std::ranges::any_of(taken,
                               [&](const std::vector<int>& t) { return std::ranges::equal(t, support); });
  }
  // Whether an answer with these values, as written, is neither forbidden, nor taken, nor padded.
  bool admits(std::span<const double> other) const;
};

}  // namespace scfe
