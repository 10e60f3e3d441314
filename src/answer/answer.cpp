#include "answer/answer.h"

#include <algorithm>

#include "actionability/limits.h"
#include "answer/stable.h"
#include "method/certify_rows.h"
#include "method/find.h"
#include "solver/written/row_check.h"

namespace scfe {
namespace {

std::shared_ptr<const WarmStart> warm_start_of(std::size_t changes, Found& found) {
  WarmStart start{changes, {}, found.proven, std::move(found.beam)};
  if (found.status == Status::valid) start.answer = std::move(found.values);
  return std::make_shared<const WarmStart>(std::move(start));
}

// True if the values are within the limits of the row and change some features, but no more than allowed.
bool is_within_limits(const Query& query, const Row& row, std::span<const double> values) {
  const std::span<const Feature> features = row.own ? *row.own : query.fitted.features;
  const std::vector<int> changed = query.fitted.space.changed(row.values, values);
  const bool may = std::ranges::all_of(changed, [&](int feature) {
    const auto f = static_cast<std::size_t>(feature);
    return may_go(features[f], row.values[f], values[f]);
  });
  return may && !changed.empty() && changed.size() <= static_cast<std::size_t>(query.options.max_changes) &&
         !row.rejects(values);
}

}  // namespace

std::vector<Explanation> answer_rows(const Query& query, std::span<const Row> rows, WarmStarts* warm_starts) {
  if (query.options.robust > 0) return answer_stably(query, {rows.begin(), rows.end()});
  std::vector<Found> found = find(query, rows);
  std::vector<Explanation> explanations;
  for (std::size_t i = 0; i < found.size(); ++i) explanations.push_back(describe(query, rows[i], found[i]));
  if (warm_starts != nullptr) {
    warm_starts->clear();
    for (Found& one : found)
      warm_starts->push_back(warm_start_of(static_cast<std::size_t>(query.options.max_changes), one));
  }
  return explanations;
}

std::vector<std::optional<Explanation>> confirm_rows(const Query& query, std::span<const Row> rows,
                                                     std::span<const std::vector<double>> values) {
  const Robustness least(query);
  std::vector<Found> found(rows.size());
  std::vector<std::optional<Explanation>> confirmed(rows.size());
  query.pool.each(rows.size(), [&](std::size_t i) {
    if (is_past(query.deadline) || !is_within_limits(query, rows[i], values[i])) return;
    const Row* of = &rows[i];
    const Checked checked = RowCheck(query, 1)({&of, 1}, {values[i]})[0];
    if (!(checked.margin >= rows[i].required) || !checked.meets_floor) return;
    found[i].status = Status::valid;
    found[i].margin = checked.margin;
    found[i].log_density = checked.log_density;
    found[i].values = values[i];
    if (query.options.robust == 0) return;
    confirmed[i] = describe(query, rows[i], found[i]);
    if (!show_stability(query, least, values[i], *confirmed[i])) confirmed[i].reset();
  });
  if (query.options.robust > 0) return confirmed;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].status != Status::valid) continue;
    if (query.options.certify) certify_rows(query, rows.subspan(i, 1), {&found[i], 1});
    confirmed[i] = describe(query, rows[i], found[i]);
  }
  return confirmed;
}

}  // namespace scfe
