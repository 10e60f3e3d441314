#include "answer/path.h"

#include <algorithm>

#include "answer/answer.h"
#include "query/floor_order.h"

namespace scfe {
namespace {

// Both have the same target class, so their log-densities can be compared.
bool better(const FloorOrder& order, const Explanation& a, const Explanation& b) {
  if (a.status == Status::below_floor && b.status == Status::below_floor)
    return order.prefers({a.log_density, a.distance}, {b.log_density, b.distance},
                         std::max(a.log_density, b.log_density));
  return closer(a, b, false);
}

// Inserts the answer at its own number of changes, which may be below the limit, and removes those it beats.
void insert(const FloorOrder& order, std::vector<Explanation>& path, Explanation answer) {
  answer.allowed_changes = std::max(1, static_cast<int>(answer.changes.size()));
  std::erase_if(path, [&](const Explanation& e) {
    return e.allowed_changes >= answer.allowed_changes && !better(order, e, answer);
  });
  const auto place =
      std::ranges::upper_bound(path, answer.allowed_changes, {}, &Explanation::allowed_changes);
  if (place == path.begin() || better(order, answer, *(place - 1))) path.insert(place, std::move(answer));
}

// Only for valid answers: below the floor a path is one of densities, and distances may grow along it. A path
// that comes no closer by a twentieth has no knee, and neither has a nearly straight one.
void mark_knee(std::vector<Explanation>& path) {
  const auto first = std::ranges::find(path, Status::valid, &Explanation::status);
  if (path.end() - first < 3) return;
  const double rise = first->distance - path.back().distance;
  if (rise <= 0.05 * first->distance) return;
  const int begin = first->allowed_changes, run = path.back().allowed_changes - begin;
  auto knee = first;
  double most = 0;
  for (auto e = first; e != path.end(); ++e) {
    const double line = first->distance - rise * (e->allowed_changes - begin) / run;
    if (line - e->distance > most) {
      most = line - e->distance;
      knee = e;
    }
  }
  if (most <= 0.05 * rise) return;
  knee->knee = true;
}

}  // namespace

Lists walk_path(const Query& query, std::vector<Row> rows) {
  Lists lists(rows.size());
  const int most = query.options.max_changes;
  Options step = query.options;
  step.fewest_first = false;
  std::vector<Explanation> last(rows.size());
  WarmStarts warm_starts;
  for (int m = 1; m <= most; ++m) {
    step.max_changes = m;
    std::vector<Explanation> now = answer_rows(query.with(step), rows, &warm_starts);
    for (std::size_t i = 0; i < warm_starts.size(); ++i) rows[i].warm_start = std::move(warm_starts[i]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool none_yet = m == 1 || (!now[i].found() && !last[i].found());
      const bool gained = none_yet || better(floor_order(query, rows[i]), now[i], last[i]);
      if (gained) last[i] = std::move(now[i]);
      last[i].allowed_changes = m;
      const bool failure = m == most && lists[i].empty();
      if (gained && last[i].found()) insert(floor_order(query, rows[i]), lists[i], last[i]);
      if (failure && lists[i].empty()) lists[i].push_back(last[i]);
    }
  }
  for (std::vector<Explanation>& path : lists) mark_knee(path);
  return lists;
}

void extend_path(std::vector<Explanation>& path, Explanation answer) {
  insert({}, path, std::move(answer));
  for (Explanation& e : path) e.knee = false;
  mark_knee(path);
}

}  // namespace scfe
