// Rules between features that a table keeps although chance would break them:
//
//     map         education_num := map(education, "HS-grad": 9, ...)      a column that follows from another
//     order       used <= limit                                           no row breaks it
//     exclusion   if sex = "Male" then relationship != "Wife"             never or hardly ever together
//                 if pdays = -1 then previous = 0
//
// A rule is learned if all of these hold:
//   - Chance would break it in at least 20 rows. "Chance" keeps how often each value occurs in its column and
//     mixes the rows of one column at random.
//   - The table breaks it in at most 1 % of those rows (errors in the data; 0 for orders and for ranges that
//     are cut out of a column of numbers, because their bounds are chosen by the data).
//   - The probability that chance alone breaks it in so few rows is at most 1 % divided by the number of
//     rules that were tried (Bonferroni). It is exact for exclusions (hypergeometric) and for orders, and
//     an upper bound for maps. So of 100 tables with independent columns at most one has a false rule.
// Where such an exclusion is found, the other levels of the same two columns are tried beside it, from 5
// expected rows on and with a correction of their own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

struct LearnedRule {
  std::string text;      // in the language of scfe/rules.h
  std::string evidence;  // "0 of 16,281 rows; 212 expected"
  bool used = true;      // false: found, and switched off
};

// The rules that the rows keep, those with the strongest evidence first. Rows hold one value per feature, a
// number or the place of a level; NaN: missing. `known` are rules of the user, which learned ones do not
// repeat or contradict. Tables with more than 100 features have none: nobody could judge their rules.
std::vector<LearnedRule> learn_rules(const Matrix& rows, std::span<const Feature> features,
                                     std::span<const std::string> known = {});

}  // namespace scfe
