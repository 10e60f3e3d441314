// One factual and what it may do.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scfe {

class Links;

struct Instance {
  std::vector<double> values;   // x_f as people see it: a number or the place of a level for each feature
  std::vector<double> factual;  // x_f in the work space
  std::vector<double> lo, hi;   // limits of w = x - x_f for each column; lo <= 0 <= hi
  // Of a category: the places of the levels it may take, its own among them. Empty for numbers.
  std::vector<std::vector<int>> levels;
  std::vector<float> anchor;           // what the density wants to know of x_f
  std::optional<double> floor;         // least log-density
  std::shared_ptr<const Links> links;  // rules between features; null: none
  // What else an answer has to obey, asked of its values as written; empty: nothing.
  std::function<bool(std::span<const double> values)> allowed;
};

}  // namespace scfe
