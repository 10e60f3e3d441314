// A formula over features, kept in postfix order: numbers, names, + - * / and parentheses, or the map of one
// feature's levels or whole numbers to values.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace scfe {

struct Expression {
  enum class Op { number, feature, negate, map, add, subtract, multiply, divide };
  struct Step {
    Op op;
    double number = 0;
    std::size_t feature = 0;
  };
  static constexpr std::size_t max_depth = 16;  // of the evaluation stack

  std::vector<Step> steps;
  std::map<double, double> table = {};  // of Op::map; keys are whole numbers

  std::vector<std::size_t> sources() const;  // the features it uses, ascending
  std::size_t depth() const;
  // The value of the table at the nearest whole number; NaN if it has none.
  double mapped(double key) const;
  // Not finite if it divides by 0, or if the table has no value.
  double value(std::span<const double> values) const;
  double slope(std::span<const double> values, std::size_t feature) const;
};

// sum of coefficient_f x_f + constant
struct LinearForm {
  std::map<std::size_t, double> coefficient;
  double constant = 0;
};
// Empty if the expression contains a product or a ratio of features.
std::optional<LinearForm> linear_form(const Expression& expression);

}  // namespace scfe
