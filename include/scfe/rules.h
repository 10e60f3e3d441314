// Rules between features, written as text:
//
//     used_credit <= limit                      linear inequality: +, -, numbers times names, on both sides
//     rent + food + other = 1                   sum
//     ratio := amount / duration_months         derived column: + - * / and parentheses over other features
//     at most 1 of duration_months, amount      at most this many of them may change in one answer
//     if job = "none" then income <= 500        implication
//     if residence rises then age rises         implication between changes from the factual's values
//     pdays = -1 if and only if previous = 0    both directions
//     grade := map(school, "low": 1, "high": 2) a column that follows from the levels of another
//
// Names that are not plain words are written in quotes or backticks: `hours per week` <= 60. Ordinal and
// binary features have the value of their level's place (0, 1, ...) in sums and formulas, where categories
// are not allowed; conditions and maps name levels. docs/limits.md has all conditions.
//
// An answer must satisfy every rule of which it changes a feature; other rules may stay violated if the
// factual violates them. Sums and inequalities hold on the row as written, up to rounding errors:
//     |violation| <= 1e-9 (sum of |coefficient x| + |constant|)
// A derived column is recomputed when a source changes, rounded to its step if it has one. It is never
// changed on its own, does not count as a change or in the distance, and must satisfy its own limits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scfe/feature.h"

namespace scfe {

// Throws an Error with the rule, the position in it, what was expected and what was found.
void check_rules(std::span<const std::string> rules, std::span<const Feature> features);

// A column that a rule derives from others (ratio := amount / duration_months).
struct DerivedColumn {
  std::size_t feature;
  std::string rule;
  // What the rule says of a row; one value a feature, a number or the place of a level.
  std::function<double(std::span<const double>)> value;
};
std::vector<DerivedColumn> derived_columns(std::span<const std::string> rules,
                                           std::span<const Feature> features);

// Linear rules that no row within the features' ranges can meet, alone or beside another, and implications
// that none can meet where their condition holds, a line for people each. No answer changes any of their
// features, so they are most likely a mistake. What is not found here may still leave no room: three rules
// are never looked at together but through the ranges that they leave.
// `learned`: those of the rules that nobody wrote, which are taken into account but not blamed.
std::vector<std::string> contradictions(std::span<const std::string> rules, std::span<const Feature> features,
                                        std::span<const std::string> learned = {});

}  // namespace scfe
