#include "actionability/rules.h"

#include <algorithm>

#include "scfe/error.h"
#include "scfe/rules.h"

namespace scfe {
namespace {

constexpr double rule_tolerance = 1e-9;

// Throws unless a derived source comes before the columns derived from it.
void check_order(const Rules& rules) {
  for (std::size_t i = 0; i < rules.derived.size(); ++i)
    for (std::size_t later = i; later < rules.derived.size(); ++later) {
      const Derivation &one = rules.derived[i], &other = rules.derived[later];
      if (later > i && one.feature == other.feature)
        throw Error("rule '" + other.text + "'", "one formula for a column", "a second one");
      if (std::ranges::find(one.sources, other.feature) != one.sources.end())
        throw Error("rule '" + one.text + "'", "sources that are derived by an earlier rule, if at all",
                    later == i ? "itself" : "one that '" + other.text + "' derives later");
    }
}

}  // namespace

double Link::sum(std::span<const double> values) const {
  double total = 0;
  for (const Term& term : terms) total += term.coefficient * values[term.feature];
  return total;
}

double Link::excess(std::span<const double> values) const {
  double total = 0, size = 0;
  for (const Term& term : terms) {
    const double part = term.coefficient * values[term.feature];
    total += part;
    size += std::abs(part);
  }
  const double above = total - hi, below = lo - total;
  if (above > rule_tolerance * (size + std::abs(hi))) return above;
  if (below > rule_tolerance * (size + std::abs(lo))) return -below;
  return std::isnan(total) ? INFINITY : 0;
}

double Link::coefficient(std::size_t feature) const {
  for (const Term& term : terms)
    if (term.feature == feature) return term.coefficient;
  return 0;
}

Rules::Rules(std::vector<std::string> rules, std::span<const Feature> features) : texts(std::move(rules)) {
  for (const std::string& text : texts) add_rule(text, features, *this);
  check_order(*this);
}

Rules Rules::formulas() const {
  Rules only;
  only.derived = derived;
  for (const Derivation& derivation : derived) only.texts.push_back(derivation.text);
  return only;
}

bool Rules::is_derived(std::size_t feature) const {
  return std::ranges::any_of(derived, [&](const Derivation& d) { return d.feature == feature; });
}

bool Rules::counts(std::size_t feature) const {
  const auto is_number_of = [&](const Derivation& d) {
    if (!d.formula.table.empty()) return false;
    return d.feature == feature || std::ranges::find(d.sources, feature) != d.sources.end();
  };
  return std::ranges::any_of(links, [&](const Link& link) { return link.coefficient(feature) != 0; }) ||
         std::ranges::any_of(derived, is_number_of);
}

void check_rules(std::span<const std::string> rules, std::span<const Feature> features) {
  (void)Rules({rules.begin(), rules.end()}, features);
}

std::vector<DerivedColumn> derived_columns(std::span<const std::string> rules,
                                           std::span<const Feature> features) {
  std::vector<DerivedColumn> columns;
  for (const Derivation& derived : Rules({rules.begin(), rules.end()}, features).derived)
    columns.push_back({derived.feature, derived.text,
                       [formula = derived.formula](auto values) { return formula.value(values); }});
  return columns;
}

}  // namespace scfe
