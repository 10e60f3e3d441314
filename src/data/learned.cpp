#include "data/learned.h"

#include <algorithm>
#include <cmath>

#include "scfe/error.h"

namespace scfe {
namespace {

Matrix without_filled_cells(const Encoded& training) {
  Matrix rows = training.values;
  for (const Gap& gap : training.gaps) {
    const auto place = std::ranges::lower_bound(training.rows, gap.row);
    if (place != training.rows.end() && *place == gap.row)
      rows[static_cast<std::size_t>(place - training.rows.begin())][gap.feature] = NAN;
  }
  return rows;
}

void switch_off(const Options& options, std::vector<LearnedRule>& learned) {
  for (const std::size_t place : dropped_rules(options)) {
    if (place > learned.size())
      throw Error("drop-rules",
                  learned.empty() ? "nothing: no rules were learned"
                                  : "numbers from 1 to " + std::to_string(learned.size()) +
                                        ", as the learned rules are listed",
                  std::to_string(place));
    learned[place - 1].used = false;
  }
  if (options.learned_rules == LearnedRules::list)
    for (LearnedRule& rule : learned) rule.used = false;
}

}  // namespace

Schema with_learned_rules(const Encoder& encoder, const Encoded& training, const Options& options) {
  Schema schema = encoder.schema();
  schema.rules = schema.own_rules();
  if (options.learned_rules == LearnedRules::none)
    schema.learned.clear();
  else if (schema.learned.empty())
    schema.learned = learn_rules(training.gaps.empty() ? training.values : without_filled_cells(training),
                                 encoder.features(), schema.rules);
  switch_off(options, schema.learned);
  for (const LearnedRule& rule : schema.learned)
    if (rule.used) schema.rules.push_back(rule.text);
  return schema;
}

}  // namespace scfe
