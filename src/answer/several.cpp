#include "answer/several.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "answer/answer.h"
#include "solver/written/redundant.h"

namespace scfe {
namespace {

bool changes_something(const Explanation& e) { return e.found() && !e.changes.empty(); }

// True if some level differs, or some number by at least a tenth of its range.
bool differs(const Space& space, std::span<const double> a, std::span<const double> b) {
  constexpr double tenth = 0.1;
  for (std::size_t f = 0; f < a.size(); ++f) {
    if (a[f] == b[f] || space.is_derived(f)) continue;
    if (space.is_category(f) || std::abs(a[f] - b[f]) >= tenth * space.range(f)) return true;
  }
  return false;
}

// Forbids further answers with the same features, or with options.diverse = values with similar values.
void forbid_similar(const Query& query, const Explanation& answer, Row& row) {
  if (query.options.diverse == Diverse::features)
    return row.demand.taken_supports.push_back(support_of(answer));
  const Space& space = query.fitted.space;
  row.demand.differs = [&space, before = row.demand.differs,
                        other = space.to_values(answer.counterfactual)](std::span<const double> values) {
    return (!before || before(values)) && differs(space, values, other);
  };
}

}  // namespace

void add_answers(const Query& query, std::vector<Row> rows, Lists& lists) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < lists.size(); ++i) open.push_back(i);
  const auto check = std::make_shared<RedundancyCheck>(query);
  for (Row& row : rows)
    row.demand.is_redundant = [check](const Row& of, std::span<const double> values) {
      return (*check)(of, values);
    };
  for (int k = 1; k < query.options.answers; ++k) {
    std::vector<Row> asked;
    std::erase_if(open, [&](std::size_t i) { return !changes_something(lists[i].back()); });
    for (const std::size_t i : open) {
      forbid_similar(query, lists[i].back(), rows[i]);
      if (lists[i].front().status == Status::valid) rows[i].below_floor = BelowFloor::none;
      asked.push_back(rows[i]);
    }
    if (asked.empty()) break;
    std::vector<Explanation> more = answer_rows(query, asked);
    std::vector<std::size_t> answered;
    for (std::size_t i = 0; i < open.size(); ++i) {
      std::vector<Explanation>& list = lists[open[i]];
      if (!changes_something(more[i])) continue;
      list.push_back(std::move(more[i]));
      answered.push_back(open[i]);
    }
    open.swap(answered);
  }
  // The first stays first: asking for more answers does not change the one that a single answer would be.
  for (std::vector<Explanation>& list : lists) {
    std::vector<Explanation> further(std::make_move_iterator(list.begin() + 1),
                                     std::make_move_iterator(list.end()));
    list.resize(1);
    drop_below_floor(further);
    std::ranges::stable_sort(further, [](const auto& a, const auto& b) { return closer(a, b, false); });
    std::ranges::move(further, std::back_inserter(list));
  }
}

}  // namespace scfe
