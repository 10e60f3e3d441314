#include "actionability/condition.h"

#include <algorithm>
#include <set>

namespace scfe {
namespace {

bool all_hold(const std::vector<Condition>& conditions, std::span<const double> row,
              std::span<const double> factual) {
  return std::ranges::all_of(conditions, [&](const Condition& c) { return c.holds(row, factual); });
}

template <class Visit>
void visit_conditions(const Implication& rule, std::size_t feature, const Visit& visit) {
  for (const std::vector<Condition>* side : {&rule.premise, &rule.consequence})
    for (const Condition& condition : *side)
      if (condition.feature == feature) visit(condition);
}

}  // namespace

bool Condition::holds(std::span<const double> row, std::span<const double> factual) const {
  const double x = row[feature], from = factual[feature];
  const auto height = [&](double value) {
    return rank.empty() ? value : static_cast<double>(rank[static_cast<std::size_t>(value)]);
  };
  switch (kind) {
    case Kind::among:
      return std::ranges::find(values, x) != values.end();
    case Kind::not_among:
      return std::ranges::find(values, x) == values.end();
    case Kind::between:
      return x >= lo && x <= hi;
    case Kind::rises:
      return height(x) > height(from);
    case Kind::falls:
      return height(x) < height(from);
    case Kind::changes:
      return x != from;
    case Kind::stays:
      break;
  }
  return x == from;
}

bool Implication::holds(std::span<const double> row, std::span<const double> factual) const {
  const bool first = all_hold(premise, row, factual), then = all_hold(consequence, row, factual);
  return both_ways ? first == then : !first || then;
}

std::vector<double> Implication::marks(std::size_t feature, std::span<const double> factual) const {
  std::set<double> all;
  visit_conditions(*this, feature, [&](const Condition& condition) {
    all.insert(condition.values.begin(), condition.values.end());
    if (condition.kind == Condition::Kind::between)
      for (const double bound : {condition.lo, condition.hi})
        if (std::isfinite(bound)) all.insert(bound);
    if (condition.depends_on_factual()) all.insert(factual[feature]);
  });
  return {all.begin(), all.end()};
}

void Implication::narrow(std::size_t feature, std::span<const double> row, std::span<const double> factual,
                         double spacing, double& lo, double& hi) const {
  const double x = row[feature];
  const auto stay_beside = [&](double point) {
    if (x == point)
      lo = hi = point;
    else if (x > point)
      lo = std::max(lo, std::min(x, point + spacing));
    else
      hi = std::min(hi, std::max(x, point - spacing));
  };
  visit_conditions(*this, feature, [&](const Condition& condition) {
    if (condition.kind != Condition::Kind::between) {
      for (const double value : condition.values) stay_beside(value);
      if (condition.depends_on_factual()) stay_beside(factual[feature]);
    } else if (x < condition.lo) {
      hi = std::min(hi, std::max(x, condition.lo - spacing));
    } else if (x > condition.hi) {
      lo = std::max(lo, std::min(x, condition.hi + spacing));
    } else {
      lo = std::max(lo, condition.lo);
      hi = std::min(hi, condition.hi);
    }
  });
}

}  // namespace scfe
