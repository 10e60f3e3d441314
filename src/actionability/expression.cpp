#include "actionability/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scfe {
namespace {

using Op = Expression::Op;

// A value and its derivative (forward-mode differentiation).
struct Dual {
  double value = 0, slope = 0;
};

Dual apply(Op op, const Dual& a, const Dual& b) {
  switch (op) {
    case Op::add:
      return {a.value + b.value, a.slope + b.slope};
    case Op::subtract:
      return {a.value - b.value, a.slope - b.slope};
    case Op::multiply:
      return {a.value * b.value, a.slope * b.value + a.value * b.slope};
    default: {
      const double ratio = a.value / b.value;
      return {ratio, (a.slope - ratio * b.slope) / b.value};
    }
  }
}

Dual run(const Expression& expression, std::span<const double> values, std::size_t by) {
  std::array<Dual, Expression::max_depth> stack;
  std::size_t top = 0;
  for (const Expression::Step& step : expression.steps) {
    if (step.op == Op::number) {
      stack[top++] = {step.number, 0};
    } else if (step.op == Op::feature) {
      stack[top++] = {values[step.feature], step.feature == by ? 1.0 : 0.0};
    } else if (step.op == Op::negate) {
      stack[top - 1] = {-stack[top - 1].value, -stack[top - 1].slope};
    } else if (step.op == Op::map) {
      stack[top - 1] = {expression.mapped(stack[top - 1].value), 0};
    } else {
      --top;
      stack[top - 1] = apply(step.op, stack[top - 1], stack[top]);
    }
  }
  return stack[0];
}

LinearForm scaled(LinearForm form, double factor) {
  for (auto& [feature, coefficient] : form.coefficient) coefficient *= factor;
  form.constant *= factor;
  return form;
}

std::optional<LinearForm> combine(Op op, const LinearForm& a, const LinearForm& b) {
  if (op == Op::multiply && a.coefficient.empty()) return scaled(b, a.constant);
  if (op == Op::multiply || op == Op::divide) {
    if (!b.coefficient.empty()) return std::nullopt;
    return scaled(a, op == Op::multiply ? b.constant : 1 / b.constant);
  }
  LinearForm sum = a;
  const LinearForm other = scaled(b, op == Op::add ? 1 : -1);
  for (const auto& [feature, coefficient] : other.coefficient) sum.coefficient[feature] += coefficient;
  sum.constant += other.constant;
  return sum;
}

}  // namespace

std::vector<std::size_t> Expression::sources() const {
  std::set<std::size_t> features;
  for (const Step& step : steps)
    if (step.op == Op::feature) features.insert(step.feature);
  return {features.begin(), features.end()};
}

std::size_t Expression::depth() const {
  std::size_t now = 0, most = 0;
  for (const Step& step : steps) {
    if (step.op == Op::number || step.op == Op::feature) most = std::max(most, ++now);
    if (step.op >= Op::add) --now;
  }
  return most;
}

double Expression::mapped(double key) const {
  const auto found = table.find(std::round(key));
  return found == table.end() ? NAN : found->second;
}

double Expression::value(std::span<const double> values) const {
  return run(*this, values, values.size()).value;
}

double Expression::slope(std::span<const double> values, std::size_t feature) const {
  return run(*this, values, feature).slope;
}

std::optional<LinearForm> linear_form(const Expression& expression) {
  std::vector<LinearForm> stack;
  for (const Expression::Step& step : expression.steps) {
    if (step.op == Op::number) {
      stack.push_back({{}, step.number});
    } else if (step.op == Op::feature) {
      stack.push_back({{{step.feature, 1.0}}, 0});
    } else if (step.op == Op::negate) {
      stack.back() = scaled(stack.back(), -1);
    } else {
      const LinearForm right = stack.back();
      stack.pop_back();
      const std::optional<LinearForm> result = combine(step.op, stack.back(), right);
      if (!result) return std::nullopt;
      stack.back() = *result;
    }
  }
  std::erase_if(stack.back().coefficient, [](const auto& term) { return term.second == 0; });
  return stack.back();
}

}  // namespace scfe
