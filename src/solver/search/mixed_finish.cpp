// Turns starts into rows that can be written: polishes their fine numbers and rounds them.
#include "solver/search/mixed.h"

namespace scfe {

Task MixedSearch::polish_starts() {
  while (polishes_.size() < starts_.size()) polishes_.emplace_back(query_, max_changes_);
  if (bases_.size() < starts_.size()) bases_.resize(starts_.size(), *row_);
  std::vector<int> columns;
  std::vector<double> w;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const State& start = starts_[i];
    tried_.insert(key(start));
    bases_[i] = *row_;
    columns.clear();
    w.clear();
    for (const int feature : start.support) {
      const auto f = static_cast<std::size_t>(feature);
      if (!axes_[f].fine) {
        bases_[i].values[f] = start.values[f];
        continue;
      }
      const std::size_t j = space_.first(f);
      columns.push_back(static_cast<int>(j));
      w.push_back(space_.to_work(j, start.values[f]) - row_->factual[j]);
    }
    space_.to_columns(bases_[i].values, bases_[i].factual);
    if (row_->links != nullptr) stay_within_implications(start, bases_[i]);
    polishes_[i].start(bases_[i], goal_, {.rounds = options_.rounds}, columns, w);
  }
  while (!lanes_.out_of_time() && ask_trials(starts_.size())) {
    co_await evaluate_asked();
    digest_trials(starts_.size());
  }
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (polishes_[i].started() && polishes_[i].merit() < Goal::infeasible)
      lattice_.add(polishes_[i].best(), starts_[i].values);
  co_await lattice_.walk();
}

}  // namespace scfe
