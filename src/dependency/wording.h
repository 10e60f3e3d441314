// Learned rules in the language of scfe/rules.h, and their evidence in words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scfe/feature.h"

namespace scfe {

// The name of a feature, in quotes unless it is a plain word. Empty if it has every kind of quote.
std::optional<std::string> name_in_rule(const Feature& feature);
// A number, or a level in quotes. Empty if it has every kind of quote.
std::optional<std::string> value_in_rule(const Feature& feature, double value);

// The values of one feature that a condition allows or excludes.
struct Allowed {
  std::optional<double> above = {}, at_most = {};  // x > above, x <= at_most
  std::optional<double> below = {}, only = {};     // x < below; x = only, in place of a bound at the end
  std::vector<double> among = {};                  // one of these
  std::vector<double> not_among = {};              // none of these
};
// "age > 21 and age <= 90". Empty if a name or a value cannot be written.
std::optional<std::string> condition_in_rule(const Feature& feature, const Allowed& allowed);

// "0 of 16,281 rows; 212 expected"
std::string evidence_text(std::size_t broken, std::size_t rows, double expected);

}  // namespace scfe
