// Answers rows class by class: those with the same target class form one query. Of rows with several target
// classes the best answers are kept (closest_class.h). Classes are asked 1, 2, 4, ... at a time, so that rows
// can still be solved together.
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "answer/lists.h"
#include "explainer/closest_class.h"
#include "explainer/state.h"

namespace scfe {

void Explainer::State::answer_classes(const TableRows& rows, const Asked& asked,
                                      std::span<std::vector<Explanation>> lists) const {
  const Options& options = asked.options;
  const std::size_t count = rows.index.size();
  const bool bounded = has_class_bounds(options);
  ClassDensities of{space, classes->densities, {}, static_cast<std::size_t>(options.max_changes)};
  if (bounded)
    for (const FittedDensity& fitted : classes->densities)
      of.floors.push_back(fitted.density && options.plausible > 0
                              ? std::optional(floor_at(fitted, options.plausible))
                              : std::nullopt);
  std::vector<OpenClasses> open(count);
  asked.pool.each(count, [&](std::size_t k) {
    const std::size_t i = rows.index[k];
    const std::vector<int>& aims = asked.aims[i];
    if (!bounded || aims.size() == 1) return open[k].set(aims);
    Factual limits = limits_of(fitted(static_cast<std::size_t>(aims.front())), rows, i);
    const auto own_floor = rows.limits.empty() ? std::nullopt : rows.limits[i].log_density;
    open[k].set(std::make_unique<ClassBounds>(of, std::move(limits), own_floor, aims), asked.scores[i]);
  });

  std::vector<std::vector<Explanation>> found(lists.size());
  for (std::size_t width = 1;; width *= 2) {
    std::vector<std::vector<int>> next(count);
    asked.pool.each(count,
                    [&](std::size_t k) { next[k] = open[k].take(options, width, lists[rows.index[k]]); });
    std::map<int, std::vector<std::size_t>> by_target;
    for (std::size_t k = 0; k < count; ++k)
      for (const int target : next[k]) by_target[target].push_back(rows.index[k]);
    for (const auto& [target, places] : by_target) {
      const Fitted own = fitted(static_cast<std::size_t>(target));
      answer_lists(Query(own, options, target, asked.deadline, asked.pool),
                   {rows.factuals, places, rows.limits}, found);
      for (const std::size_t i : places)
        if (asked.aims[i].size() == 1)
          lists[i] = std::move(found[i]);
        else
          merge_answers(options, std::move(found[i]), lists[i]);
    }
    if (std::ranges::all_of(open, &OpenClasses::done)) return;
  }
}

}  // namespace scfe
