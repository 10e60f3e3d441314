// Finds implications that no row can meet where their condition holds: the condition is taken for granted,
// and every rule whose premise is then certain narrows the levels and ranges of its features, until nothing
// changes or a feature has no value left.
#include <algorithm>
#include <vector>

#include "actionability/rules.h"

namespace scfe {
namespace {

// What is left of a feature: some of its levels, or a range of numbers.
struct Domain {
  std::vector<double> levels = {};
  double lo = -INFINITY, hi = INFINITY;
  bool listed = false;

  bool is_empty() const { return listed ? levels.empty() : lo > hi; }
};

bool contains(const Condition& condition, double value) {
  if (condition.kind == Condition::Kind::between) return value >= condition.lo && value <= condition.hi;
  const bool named = std::ranges::find(condition.values, value) != condition.values.end();
  return named == (condition.kind == Condition::Kind::among);
}

// A condition on a change from the factual's value says nothing about single values.
void narrow(const Condition& condition, std::vector<Domain>& domains) {
  Domain& domain = domains[condition.feature];
  if (condition.depends_on_factual()) return;
  if (domain.listed) {
    std::erase_if(domain.levels, [&](double level) { return !contains(condition, level); });
  } else if (condition.kind == Condition::Kind::between) {
    domain.lo = std::max(domain.lo, condition.lo);
    domain.hi = std::min(domain.hi, condition.hi);
  } else if (condition.kind == Condition::Kind::among) {
    double lo = INFINITY, hi = -INFINITY;
    for (const double value : condition.values)
      if (value >= domain.lo && value <= domain.hi) lo = std::min(lo, value), hi = std::max(hi, value);
    domain.lo = lo;
    domain.hi = hi;
  } else if (domain.lo == domain.hi && !contains(condition, domain.lo)) {
    domain.hi = -INFINITY;
  }
}

bool is_certain(const Condition& condition, const std::vector<Domain>& domains) {
  const Domain& domain = domains[condition.feature];
  if (condition.depends_on_factual()) return false;
  if (domain.listed)
    return std::ranges::all_of(domain.levels, [&](double level) { return contains(condition, level); });
  if (condition.kind == Condition::Kind::between)
    return domain.lo >= condition.lo && domain.hi <= condition.hi;
  if (condition.kind == Condition::Kind::among)
    return domain.lo == domain.hi && contains(condition, domain.lo);
  return std::ranges::none_of(condition.values,
                              [&](double value) { return value >= domain.lo && value <= domain.hi; });
}

bool has_empty(const std::vector<Domain>& domains) {
  return std::ranges::any_of(domains, [](const Domain& domain) { return domain.is_empty(); });
}

using Side = std::vector<Condition>;

void narrow_if_certain(const Side& premise, const Side& consequence, std::vector<Domain>& domains) {
  const auto certain = [&](const Condition& condition) { return is_certain(condition, domains); };
  if (!std::ranges::all_of(premise, certain)) return;
  for (const Condition& condition : consequence) narrow(condition, domains);
}

std::vector<Domain> domains_of(std::span<const Feature> features) {
  std::vector<Domain> domains;
  for (const Feature& feature : features) {
    Domain domain{.lo = feature.min.value_or(-INFINITY), .hi = feature.max.value_or(INFINITY)};
    domain.listed = feature.is_category() || !feature.levels.empty();
    for (std::size_t level = 0; domain.listed && level < feature.level_count(); ++level)
      domain.levels.push_back(static_cast<double>(level));
    domains.push_back(std::move(domain));
  }
  return domains;
}

// A feature without a value once a condition holds: because of the condition itself, or of a rule.
struct Conflict {
  bool is_one = false, in_condition = false;
  std::size_t rule = 0;
};

Conflict conflict_where(const Side& side, const Rules& rules, std::vector<Domain> domains) {
  for (const Condition& condition : side) narrow(condition, domains);
  if (has_empty(domains)) return {true, true, 0};
  for (std::size_t round = 0; round <= rules.implications.size(); ++round)
    for (std::size_t i = 0; i < rules.implications.size(); ++i) {
      const Implication& rule = rules.implications[i];
      narrow_if_certain(rule.premise, rule.consequence, domains);
      if (rule.both_ways) narrow_if_certain(rule.consequence, rule.premise, domains);
      if (has_empty(domains)) return {true, false, i};
    }
  return {};
}

}  // namespace

std::vector<std::string> implication_conflicts(const Rules& rules, std::span<const Feature> features,
                                               std::span<const std::string> learned) {
  const std::vector<Domain> domains = domains_of(features);
  std::vector<std::string> lines;
  const auto look_at = [&](const Implication& own, const Side& side) {
    const Conflict conflict = conflict_where(side, rules, domains);
    if (!conflict.is_one) return;
    const std::string& other = rules.implications[conflict.rule].text;
    if (conflict.in_condition)
      lines.push_back("rule '" + own.text + "': a condition holds for no value within the levels and ranges");
    else if (other == own.text)
      lines.push_back("rule '" + own.text + "': no row meets it where its condition holds");
    else
      lines.push_back("rules '" + own.text + "' and '" + other +
                      "': no row meets both where the condition of the first holds");
  };
  for (const Implication& rule : rules.implications) {
    if (std::ranges::find(learned, rule.text) != learned.end()) continue;
    look_at(rule, rule.premise);
    if (rule.both_ways) look_at(rule, rule.consequence);
  }
  return lines;
}

}  // namespace scfe
