// The way of one row through a search, the same for numbers alone (search.h) and for tables of moves
// (mixed.h):
//
//     evaluate the factual                                       not finite, already valid: done
//     explore:  min |d|²    s.t. margin and floor, if there is one
//     or, for a row that asks for the most plausible answer (Demand::most_plausible):
//     explore:  max log q   s.t. margin; of equally plausible rows the closer
//     explore:  min |d|²    s.t. margin, if that fails; then improve the answer's log q
//
// What is asked where no answer meets the floor is the plan's business (plan/plan.cpp).
//
// One object serves one row at a time and is reused for the next. It pauses at every evaluation, so that many
// rows share a block of lanes.
#pragma once

#include <span>
#include <vector>

#include "solver/found.h"
#include "solver/search/lattice.h"
#include "solver/search/polish.h"
#include "support/task.h"

namespace scfe {

struct SearchOptions {
  int max_changes = 3;
  bool fewest_first = true;
  int beam = 3;
  int screen = 6;
  int sweeps = 2;
  int rounds = 12;
  bool keep_beam = false;  // for a search for one change more
};

class RowSearch {
 public:
  RowSearch(Lanes& lanes, const SearchOptions& options);
  virtual ~RowSearch() = default;

  Task run(const Row& row, std::span<const Start> starts, Found& found);

 protected:
  // Called once the factual has been evaluated, before anything else.
  virtual void begin() = 0;
  // Searches for the answer that is best by goal_.
  virtual Task explore(std::span<const Start> starts) = 0;
  // goal_ has changed since answer_ was found: searches near it.
  virtual Task improve() = 0;
  // Margin, density and changes of the point that came closest.
  virtual void describe_nearest(Found& found) const = 0;

  // True if the closest answer is searched for, not the most plausible one.
  bool wants_closest() const { return !row_->demand.most_plausible; }
  // The states that a search for fewer changes left, if this one may begin there; else null.
  const WarmStart* warm_start() const;
  std::vector<int> support_of(const std::vector<double>& values) const;
  // Rules that are linear become cuts of the small QP (link_cuts.h).
  void make_room_for_links();

  // co_await evaluate_asked(): all points of asked_ are evaluated.
  auto evaluate_asked() {
    gradients_ += asked_.size();
    return lanes_.evaluate(*row_, asked_);
  }
  // One round of polishes_[0, count): their trials into asked_ (false if all have ended), and what follows
  // once these are evaluated.
  bool ask_trials(std::size_t count);
  void digest_trials(std::size_t count);

  Lanes& lanes_;
  const Query& query_;
  const Space& space_;
  const Writing& writing_;
  SearchOptions options_;
  std::size_t max_changes_;
  Goal goal_;
  Qp qp_;
  std::vector<Polish> polishes_;
  std::vector<Point*> asked_;

  const Row* row_ = nullptr;
  Point factual_;
  Answer answer_;
  Lattice lattice_;
  std::vector<std::vector<double>> warm_states_;  // rows for a search for one change more
  std::size_t gradients_ = 0;

 private:
  Task look_at_factual();
  Task explore_most_plausible(std::span<const Start> starts);
  void heed_density(bool heed);
  void report(Status status, Found& found) const;
};

}  // namespace scfe
