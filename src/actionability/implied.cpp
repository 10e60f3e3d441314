// Implications on one row: which are broken, and the changes of one feature that repair them.
#include <algorithm>

#include "actionability/links.h"

namespace scfe {

bool Links::breaks(const Implication& rule, std::span<const double> values) const {
  return std::ranges::any_of(rule.features, [&](std::size_t f) { return values[f] != factual_[f]; }) &&
         !rule.holds(values, factual_);
}

double Links::spacing(std::size_t feature) const {
  constexpr double finest = 1.0 / (1 << 20);  // of its range, for a number without a step
  const double step = frame_.writing.step[feature];
  return step > 0 ? step : finest * frame_.space.range(feature);
}

void Links::add_marks(const Implication& rule, std::size_t feature, std::vector<double>& marks) const {
  for (const double mark : rule.marks(feature, factual_))
    for (const double steps : {-1.0, 0.0, 1.0})
      marks.push_back(frame_.writing.nearest(feature, mark + steps * spacing(feature)));
}

std::vector<double> Links::marks(std::size_t feature) const {
  std::vector<double> all;
  for (const Implication& rule : implications()) add_marks(rule, feature, all);
  return all;
}

void Links::add_repairs(const Implication& rule, std::size_t feature, std::span<const double> values,
                        std::vector<Repair>& repairs) const {
  std::vector<double> candidates;
  if (frame_.space.is_category(feature)) {
    for (std::size_t level = 0; level < frame_.space.width(feature); ++level)
      candidates.push_back(static_cast<double>(level));
  } else {
    add_marks(rule, feature, candidates);
  }
  std::vector<double> row(values.begin(), values.end());
  for (const double value : candidates) {
    if (value == values[feature]) continue;
    row[feature] = value;
    if (rule.holds(row, factual_)) repairs.push_back({feature, value});
  }
}

std::vector<Links::Repair> Links::repairs(const Implication& rule, std::span<const double> values) const {
  std::vector<Repair> repairs;
  for (const std::size_t feature : rule.features)
    if (!is_derived(feature)) add_repairs(rule, feature, values, repairs);
  return repairs;
}

double Links::shortest_repair(const Implication& rule, std::span<const double> values) const {
  double shortest = 1;
  for (const Repair& repair : repairs(rule, values))
    shortest =
        std::min(shortest, frame_.space.distance(repair.feature, values[repair.feature], repair.value));
  return shortest;
}

void Links::narrow(std::size_t feature, std::span<const double> values, double& lo, double& hi) const {
  for (const Implication& rule : implications())
    if (rule.holds(values, factual_)) rule.narrow(feature, values, factual_, spacing(feature), lo, hi);
}

}  // namespace scfe
