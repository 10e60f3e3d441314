// Support search: which few features to change, and to what. Our default for tables.
//
//     beam = {no change}
//     for k = 1..m:
//       for each state with support S: predict S + {j} for every j by the small QP, without model calls;
//       polish the best 6
//       keep the 3 best by merit; up to 2 sweeps on the best: predict all swaps of one feature, both at the
//       state and at the state without the feature that leaves; polish the best 6 of each, and stop polishing
//       candidates that will not come near the best
//       stop if feasible                                                   (fewest changes first)
//     if nothing is feasible: sample each coordinate of the states kept, polish the best samples
//     finish: polish the best with a tight tolerance, undo redundant changes, look for the closest writable
//     row near it (lattice.h), and near every other support that costs less than that row before rounding
//     further answers: supports of earlier answers are extended but are not answers themselves
//
// What is asked when the floor cannot be met: plan/plan.cpp.
#pragma once

#include <span>
#include <vector>

#include "solver/search/row_search.h"
#include "support/reused.h"

namespace scfe {

class Search final : public RowSearch {
 public:
  Search(Lanes& lanes, const SearchOptions& options);

 private:
  struct State {
    Point point;
    double merit;
  };
  struct Candidate {
    std::vector<int> support;
    std::vector<double> w;  // predicted
    double score = 0;
  };
  struct Polished {
    const Point* point;  // owned by a Polish; valid until the next polish starts
    double merit;
  };

  // search.cpp
  void begin() override;
  Task explore(std::span<const Start> starts) override;
  Task improve() override;
  void describe_nearest(Found& found) const override;
  Task explore_from(std::span<const Start> starts);
  Task grow();
  Task start_from(const WarmStart& warm_start);
  void keep_warm_states();
  Task sweep(std::size_t size);
  void add_taken(std::size_t size);
  Task scan();
  Task polish_candidates(const PolishLimits& limits, std::size_t places = 0);
  void keep_feasible(const Point& point, double merit);
  void give_up_hopeless(std::size_t places);
  void keep_best_states();
  static void take(const Polished& from, State& to) {
    to.point = *from.point;
    to.merit = from.merit;
  }
  void add_candidate(std::span<const int> support, std::span<const double> w, double score);
  bool solved() const { return best_.merit < Goal::infeasible; }
  // Further answers lie away from where the gradient leads, so more candidates are kept for them.
  std::size_t widened(int count) const {
    return static_cast<std::size_t>(row_->demand.is_further() ? 3 * count : count);
  }
  // Supports of earlier answers are kept in addition to the beam's width.
  template <class Entry>
  void trim(std::vector<Entry>& entries) const {
    auto kept = widened(options_.beam);
    std::erase_if(entries, [&](const Entry& entry) {
      if (entry.merit == Goal::taken) return false;
      if (kept == 0) return true;
      --kept;
      return false;
    });
  }

  // predict.cpp
  void rank_additions(const State& state);
  Task rank_swaps(const State& state);
  Task look_without_each(const State& state);
  void predict(const State& state, std::size_t first);
  double solve_prediction(const State& state, const std::vector<int>& support);
  void keep_best_candidates(std::size_t first, int lists = 1);
  void list_entering(const State& state);

  // finish.cpp
  Task settle();
  Task finish();
  Task write();
  Task write_rivals(std::size_t first);

  std::size_t columns_;
  State root_, best_;  // the factual, and the best state so far
  std::vector<State> beam_;
  std::vector<Polished> polished_;
  std::vector<State> shorter_;  // a state without each of its features in turn
  Reused<Candidate> candidates_;
  Reused<Candidate> feasible_;  // each support polished so far, at its best; score: its merit
  Reused<Candidate> settling_;  // those of them that are being rounded
  Reused<std::vector<int>> seen_;
  std::vector<int> entering_, predicted_, touched_;
  std::vector<double> kappa_, merits_;
  std::vector<double> linked_;  // the row around which rules are linearised
  std::vector<Point> rivals_;
};

// How rows are searched: effort, starting points, and which of the two searches.
struct SearchWay {
  SearchOptions effort;
  bool tables = false;  // true: MixedSearch, by tables of moves (mixed.h); false: Search, for numbers alone
  std::span<const std::vector<Start>> starts = {};  // for each row; empty: supports grow from no change
};
// Each thread has its own lanes and searches; found[i] belongs to rows[i].
void search_rows(const Query& query, const SearchWay& way, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
