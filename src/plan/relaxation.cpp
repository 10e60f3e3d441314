#include "plan/relaxation.h"

#include "actionability/links.h"

namespace scfe {

Relaxation::Relaxation(const Query& query, std::span<const Row> rows)
    : rules_(query.fitted.rules.formulas()),
      fitted_(query.fitted.with(query.fitted.features, rules_)),
      query_(query.with(fitted_)),
      rows_(rows.begin(), rows.end()) {
  for (Row& row : rows_) {
    row.links.reset();
    set_rules({rules_, fitted_.space, fitted_.writing}, row.own ? *row.own : fitted_.features, row);
  }
}

bool Relaxation::is_wider(const Query& query) {
  const Rules& rules = query.fitted.rules;
  return !rules.links.empty() || !rules.together.empty() || !rules.implications.empty();
}

bool Relaxation::stands(const Row& row, const Found& found) {
  return !found.answered() || row.keeps_rules(found.values);
}

}  // namespace scfe
