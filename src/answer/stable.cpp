#include "answer/stable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "method/find.h"
#include "support/text.h"

namespace scfe {
namespace {

Found unanswered(const Row& row) {
  Found found;
  found.values = row.values;
  return found;
}

std::string unstable_text(const Options& o, const Robustness& least) {
  return "no answer was found that stays valid within " + percent(o.robust) + " of the ranges (" +
         std::string(stability_name(least.proof())) + ")";
}

// How far a number may move up or down before the class changes, the smaller of both. Empty: it may move to
// either end of its range.
std::optional<double> room_either_way(const Query& query, const Robustness& least,
                                      const std::vector<double>& values, std::size_t feature) {
  const Feature& f = query.fitted.features[feature];
  std::optional<double> nearest;
  for (const std::optional<double>& end : {f.min, f.max}) {
    if (!end) continue;
    const double room = least.room(values, feature, *end);
    if (room < std::abs(*end - values[feature])) nearest = std::min(room, nearest.value_or(room));
  }
  return nearest;
}

// Searches the extra margin to ask for. With `low` the answer is not stable, with `high` there is none.
struct MarginSearch {
  double extra = 0, low = 0, high = std::numeric_limits<double>::infinity();
  bool settled = false;

  // After an unstable answer. Raises by what was lacking; from the third attempt on at least doubles, because
  // bounds get looser with the distance; bisects once `high` is known.
  void raise(double lack, int attempt) {
    low = extra;
    settled = false;
    if (!std::isfinite(lack)) lack = 1;
    if (high < std::numeric_limits<double>::infinity())
      extra = 0.5 * (low + high);
    else
      extra += std::max(1.05 * lack + 1e-4, attempt < 3 ? 0 : extra);
  }
  void lower() {
    high = extra;
    extra = 0.5 * (low + high);
    settled = high - low < 0.02 * high;
  }
};

}  // namespace

bool show_stability(const Query& query, const Robustness& least, const std::vector<double>& values,
                    Explanation& e) {
  e.stability = least.proof();
  e.stable_margin = least(values);
  // The margin that was asked for, without the row's allowance for rounding: what rounding can take away over
  // the whole box is subtracted from the least margin already (stability/robustness.h).
  if (!(e.stable_margin >= query.validity.required())) return false;
  for (FeatureChange& change : e.changes) {
    if (query.fitted.space.is_category(change.feature)) continue;
    if ((e.timed_out = e.timed_out || is_past(query.deadline))) break;
    change.room = least.room(values, change.feature, change.from);
  }
  const Space& space = query.fitted.space;
  const auto is_level = [&](const FeatureChange& change) { return space.is_category(change.feature); };
  if (e.changes.empty() || !std::ranges::all_of(e.changes, is_level)) return true;
  for (std::size_t f = 0; f < space.features(); ++f) {
    if (space.is_category(f) || space.is_derived(f)) continue;
    if ((e.timed_out = e.timed_out || is_past(query.deadline))) break;
    if (const auto room = room_either_way(query, least, values, f)) e.rooms.push_back({f, *room});
  }
  return true;
}

std::vector<Explanation> answer_stably(const Query& query, std::vector<Row> rows) {
  constexpr int attempts = 14;
  const Robustness least(query);
  const bool filtered = query.fitted.model.ensemble() != nullptr;
  if (filtered)
    for (Row& row : rows)
      row.demand.allows = [&, before = row.demand.allows](std::span<const double> values) {
        return (!before || before(values)) && least.holds(values);
      };
  std::vector<Explanation> explanations(rows.size());
  std::vector<MarginSearch> margins(rows.size());
  std::vector<std::size_t> open(rows.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (int attempt = 0; attempt < attempts && !open.empty(); ++attempt) {
    std::vector<Row> asked;
    for (const std::size_t i : open) {
      asked.push_back(rows[i]);
      asked.back().required += margins[i].extra;
    }
    const std::vector<Found> found = find(query, asked);
    query.pool.each(open.size(), [&](std::size_t k) {
      const std::size_t i = open[k];
      MarginSearch& margin = margins[i];
      margin.settled = true;
      Explanation e = describe(query, asked[k], found[k]);
      if (e.found() && !show_stability(query, least, found[k].values, e)) {
        const double lack = query.validity.required() - e.stable_margin;
        e = describe(query, asked[k], unanswered(asked[k]));
        e.reasons = {unstable_text(query.options, least)};
        margin.raise(lack, attempt);
      } else if (e.status == Status::not_found && (filtered || margin.extra > 0)) {
        e.reasons.insert(e.reasons.begin(), unstable_text(query.options, least));
        if (margin.extra > 0) margin.lower();
      }
      explanations[i] = std::move(e);
    });
    std::erase_if(open, [&](std::size_t i) { return margins[i].settled; });
    if (is_past(query.deadline)) break;
  }
  if (is_past(query.deadline))
    for (const std::size_t i : open) {
      explanations[i].status = Status::time_limit;
      explanations[i].reasons = {"time was up before an answer was shown to stay valid within " +
                                 percent(query.options.robust)};
    }
  return explanations;
}

}  // namespace scfe
