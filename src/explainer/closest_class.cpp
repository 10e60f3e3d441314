// Rows with several target classes: asks one class after the other, the most promising first, and keeps the
// best answers. Classes that provably cannot give a better one are left out (class_bounds.h).
//
// Each row has an order of its own: the fewest changes with which the floor may be reached, then the model's
// score. Classes are asked 1, 2, 4, ... at a time, so that rows can still be solved together. Neither the
// order nor what is left out changes the answer: ties go to the class with the smaller number.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>

#include "answer/lists.h"
#include "explainer/class_bounds.h"
#include "explainer/state.h"
#include "method/catalogue.h"
#include "plan/catalogue.h"

namespace scfe {
namespace {

bool comes_before(const Explanation& a, const Explanation& b, bool fewest_first) {
  if (closer(a, b, fewest_first)) return true;
  return !closer(b, a, fewest_first) && a.target < b.target;
}

// One answer a row, or a path of which the last answer counts.
bool is_single(const Options& o) { return o.answers == 1 || o.path; }

// The best answers over all classes, or the path to the closest class.
void merge_answers(const Options& o, std::vector<Explanation> more, std::vector<Explanation>& list) {
  const bool single = is_single(o), first = list.empty();
  if (single || (!first && !list.front().found() && !more.front().found())) {
    if (first || comes_before(more.back(), list.back(), single && o.fewest_first)) list = std::move(more);
    return;
  }
  list.insert(list.end(), more.begin(), more.end());
  std::ranges::stable_sort(
      list, [](const Explanation& a, const Explanation& b) { return comes_before(a, b, false); });
  drop_below_floor(list);
  if (list.front().found()) std::erase_if(list, [](const Explanation& e) { return !e.found(); });
  list.resize(std::min(list.size(), static_cast<std::size_t>(o.answers)));
}

// The classes of one row that are still to be asked.
struct OpenClasses {
  std::unique_ptr<ClassBounds> bounds;  // null: no class can be left out
  std::vector<ClassBounds::Bound> order;
  std::size_t next = 0;

  bool may_beat(const Options& o, const ClassBounds::Bound& bound,
                const std::vector<Explanation>& list) const {
    const bool single = is_single(o);
    const bool full = single ? !list.empty() : list.size() == static_cast<std::size_t>(o.answers);
    return !bounds || !full || bounds->may_beat(bound, list.back(), single && o.fewest_first);
  }
};

// The fewest changes first, then the largest score. Scores that are no numbers come last.
void sort_by_promise(std::span<const double> scores, std::vector<ClassBounds::Bound>& order) {
  const auto rank = [&](const ClassBounds::Bound& bound) {
    const double score = scores[static_cast<std::size_t>(bound.target)];
    return std::pair(bound.changes, std::isnan(score) ? std::numeric_limits<double>::infinity() : -score);
  };
  std::ranges::stable_sort(order, {}, rank);
}

// Bounds hold for answers that keep the floor and the limit on changes.
bool has_bounds(const Options& o) {
  return o.density != DensityKind::none && find_method(o.method).ours && !moves_all(o);
}

}  // namespace

void Explainer::State::answer_classes(const TableRows& rows, const Asked& asked,
                                      std::span<std::vector<Explanation>> lists) const {
  const Options& query = asked.query;
  const std::size_t count = rows.index.size();
  const auto aims_of = [&](std::size_t k) -> const std::vector<int>& { return asked.aims[rows.index[k]]; };
  std::vector<OpenClasses> open(count);
  std::vector<std::size_t> several;  // places of the rows with several classes
  for (std::size_t k = 0; k < count; ++k) {
    for (const int target : aims_of(k)) open[k].order.push_back({.target = target});
    if (aims_of(k).size() > 1 && has_bounds(query)) several.push_back(k);
  }

  ClassDensities of{space, classes->densities, {}, static_cast<std::size_t>(query.max_changes)};
  std::vector<Row> limited;  // of `several`
  if (!several.empty()) {
    for (const FittedDensity& fitted : classes->densities)
      of.floors.push_back(fitted.density && query.plausible > 0
                              ? std::optional(floor_at(fitted, query.plausible))
                              : std::nullopt);
    // Limits do not depend on the class, so those for any class will do.
    const int target = aims_of(several.front()).front();
    const Fitted any = fitted(static_cast<std::size_t>(target));
    std::vector<std::size_t> index;
    for (const std::size_t k : several) index.push_back(rows.index[k]);
    limited = make_rows(Query(any, query, target, asked.deadline, asked.pool), rows, index);
  }
  asked.pool.each(several.size(), [&](std::size_t s) {
    OpenClasses& own = open[several[s]];
    const std::size_t i = rows.index[several[s]];
    limited[s].floor = rows.limits.empty() ? std::nullopt : rows.limits[i].log_density;
    own.bounds = std::make_unique<ClassBounds>(of, limited[s], aims_of(several[s]));
    own.order.assign(own.bounds->bounds().begin(), own.bounds->bounds().end());
    sort_by_promise(asked.scores[i], own.order);
  });

  std::vector<std::vector<Explanation>> found(lists.size());
  for (std::size_t width = 1;; width *= 2) {
    std::vector<std::vector<int>> next(count);
    asked.pool.each(count, [&](std::size_t k) {
      OpenClasses& own = open[k];
      const std::size_t last = own.bounds ? std::min(own.next + width, own.order.size()) : own.order.size();
      for (; own.next < last; ++own.next)
        if (own.may_beat(query, own.order[own.next], lists[rows.index[k]]))
          next[k].push_back(own.order[own.next].target);
    });
    std::map<int, std::vector<std::size_t>> by_target;
    for (std::size_t k = 0; k < count; ++k)
      for (const int target : next[k]) by_target[target].push_back(rows.index[k]);
    for (const auto& [target, places] : by_target) {
      const Fitted own = fitted(static_cast<std::size_t>(target));
      answer_lists(Query(own, query, target, asked.deadline, asked.pool),
                   {rows.factuals, places, rows.limits}, found);
      for (const std::size_t i : places)
        if (asked.aims[i].size() == 1)
          lists[i] = std::move(found[i]);
        else
          merge_answers(query, std::move(found[i]), lists[i]);
    }
    if (std::ranges::all_of(open, [](const OpenClasses& one) { return one.next == one.order.size(); }))
      return;
  }
}

}  // namespace scfe
