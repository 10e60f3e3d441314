// Rules between features, as short texts that people read and write:
//
//     used_credit <= limit                      linear inequality: +, -, numbers times names, on both sides
//     rent + food + other = 1                   sum
//     ratio := amount / duration_months         derived column: + - * / and parentheses over other features
//     at most 1 of duration_months, amount      no more of these may change in one answer
//
// A name that is no plain word may stand in quotes or backticks: `hours per week` <= 60. An ordinal or binary
// feature counts with the place of its level (0, 1, ...); categories are only allowed behind "at most".
//
// A rule holds on every answer that changes one of its features; a factual that breaks its own rule is
// otherwise left alone. Sums and inequalities hold exactly on the row as written, but for the dust of double
// precision:
//     |violation| <= 1e-9 (sum of |coefficient x| + |constant|)
// A derived column is recomputed when a source changes, in its own precision (exactly, where it has no step).
// It is never changed by itself, counts neither as a change nor in the distance, and keeps within its own
// limits.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "scfe/feature.h"

namespace scfe {

// Error naming the rule, the position in its text, what was expected there and what came.
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

// Linear rules that no row within the features' ranges can meet, alone or beside another, a line for people
// each. No answer changes any of their features, so they are most likely a mistake. What is not found here
// may still leave no room: three rules are never looked at together but through the ranges that they leave.
std::vector<std::string> contradictions(std::span<const std::string> rules,
                                        std::span<const Feature> features);

}  // namespace scfe
