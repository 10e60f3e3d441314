// Rules between features (scfe/rules.h), read and taken apart. How one row obeys them: links.h.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "actionability/expression.h"
#include "scfe/feature.h"

namespace scfe {

// lo <= sum of coefficient x <= hi
struct Link {
  struct Term {
    std::size_t feature;
    double coefficient;
  };
  std::vector<Term> terms;
  double lo = -INFINITY, hi = INFINITY;
  std::string text;  // as people wrote it

  double sum(std::span<const double> values) const;
  // By how much it fails: > 0 above hi, < 0 below lo, 0 within (float dust aside).
  double excess(std::span<const double> values) const;
  bool is_equality() const { return lo == hi; }
  double coefficient(std::size_t feature) const;  // 0: not in it
};

struct Derivation {
  std::size_t feature;
  Expression formula;
  std::vector<std::size_t> sources;
  std::string text;
};

// At most so many of these may change.
struct Together {
  std::vector<std::size_t> features;
  std::size_t most;
  std::string text;
};

struct Rules {
  std::vector<std::string> texts;
  std::vector<Link> links;
  std::vector<Derivation> derived;  // sources come before what is derived of them
  std::vector<Together> together;

  Rules() = default;
  // Error naming the rule, the position in it, what was expected and what came.
  Rules(std::vector<std::string> rules, std::span<const Feature> features);

  bool empty() const { return texts.empty(); }
  bool is_derived(std::size_t feature) const;
};

// rule_text.cpp: adds what one text says.
void add_rule(const std::string& text, std::span<const Feature> features, Rules& rules);

}  // namespace scfe
