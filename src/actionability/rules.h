// Parsed rules between features (syntax: scfe/rules.h). links.h applies them to a row.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "actionability/condition.h"
#include "actionability/expression.h"
#include "scfe/feature.h"

namespace scfe {

class RuleScanner;

// lo <= sum of coefficient x <= hi
struct Link {
  struct Term {
    std::size_t feature;
    double coefficient;
  };
  std::vector<Term> terms;
  double lo = -INFINITY, hi = INFINITY;
  std::string text;  // as the user wrote it

  double sum(std::span<const double> values) const;
  // > 0 above hi, < 0 below lo, 0 within both up to rounding errors.
  double excess(std::span<const double> values) const;
  bool is_equality() const { return lo == hi; }
  double coefficient(std::size_t feature) const;  // 0 if the feature is not in the link
};

struct Derivation {
  std::size_t feature;
  Expression formula;
  std::vector<std::size_t> sources;
  std::string text;
};

// At most `most` of these features may change.
struct Together {
  std::vector<std::size_t> features;
  std::size_t most;
  std::string text;
};

struct Rules {
  std::vector<std::string> texts;
  std::vector<Link> links;
  std::vector<Derivation> derived;  // each after the sources it depends on
  std::vector<Together> together;
  std::vector<Implication> implications;

  Rules() = default;
  // Throws an Error with the rule, the position in it, what was expected and what was found.
  Rules(std::vector<std::string> rules, std::span<const Feature> features);

  bool empty() const { return texts.empty(); }
  // The formulas of derived columns alone: without inequalities, "at most N of" and implications.
  Rules formulas() const;
  bool is_derived(std::size_t feature) const;
  // True if some rule uses the feature as a number. Other rules know levels by their names.
  bool counts(std::size_t feature) const;
};

// Parses one rule and adds it (rule_text.cpp).
void add_rule(const std::string& text, std::span<const Feature> features, Rules& rules);
// A line for people for each implication that no row can meet where its condition holds, but for learned
// ones.
std::vector<std::string> implication_conflicts(const Rules& rules, std::span<const Feature> features,
                                               std::span<const std::string> learned = {});
// Adds a rule of conditions or a map; false if the rule is of another kind (conditional_text.cpp).
bool read_conditional(RuleScanner& scan, Rules& rules);

}  // namespace scfe
