// The row that is to be changed, and where each of its features may go.
#pragma once

#include <memory>
#include <vector>

namespace scfe {

class Links;

struct Factual {
  std::vector<double> values;   // x_f as people see it: a number or the place of a level for each feature
  std::vector<double> factual;  // x_f in the work space
  std::vector<double> lo, hi;   // limits of w = x - x_f for each column; lo <= 0 <= hi
  // For each category the places of the levels it may take, its own among them. Empty for numbers.
  std::vector<std::vector<int>> levels;
  std::shared_ptr<const Links> links;  // rules between features; null: none
};

}  // namespace scfe
