// Support search for tables that mix numbers with categories and few-valued numbers.
//
//     beam = {x_f}
//     for k = 1..m:
//       for each state: evaluate all one-feature moves (every level, samples of a fine number), values only;
//       one gradient, and the small QP's move for every fine number
//       a feasible move is an answer as it is; the best that change a fine number are polished, then rounded
//       keep the best distinct (support, levels) by cost + violation
//       stop if feasible                                                   (fewest changes first)
//     sweeps around the answer: undo one change, try every move in its place
//     rules between features: breaking one is a violation, so that the next change may repair it; linear
//     rules are cuts of the QP; an equality determines the finest of its numbers
//
// A polished start is rounded by a search of its own near it (lattice.h). Every row is evaluated as it would
// be written to a file, so nothing has to be checked again. States are ranked by cost + price · violation.
// For squares the price is 1. Lengths grow as fast as what they gain, so the price is the best ratio of cost
// to gain among the first moves: the sum is then what the state would cost in the end, if all further moves
// were as good. The answer has paid more; the search begins once more at the price that it paid. Feasibility
// does not come first in the ranking: the beam would fill with level changes that cannot get cheaper.
#pragma once

#include <array>
#include <set>
#include <span>
#include <vector>

#include "solver/search/axis.h"
#include "solver/search/row_search.h"

namespace scfe {

class MixedSearch final : public RowSearch {
 public:
  MixedSearch(Lanes& lanes, const SearchOptions& options);

 private:
  // A candidate row. Fine numbers of the support have a sampled value until they are polished.
  struct State {
    std::vector<double> values;
    std::vector<int> support;  // features, ascending
    double cost = 0;           // by Space::cost
    double score = 0;          // for ranking, lower is better
    int kind = 0;              // how it was made; the best starts of each kind are polished
  };
  // Identifies a state. Of a fine number only the side (above or below the factual) counts.
  using Key = std::vector<int>;
  struct Move {
    std::size_t state;
    int feature;
    double value, cost;
  };
  // The index of the best state of one key, for each kind.
  struct Places {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::array<std::size_t, 3> of_kind = {none, none, none};
    void put(std::vector<State>& states, const State& state, std::size_t kind);
  };
  // mixed.cpp
  void begin() override;
  // `starts` are not used: all one-feature moves are looked at.
  Task explore(std::span<const Start> starts) override;
  Task improve() override;
  void describe_nearest(Found& found) const override;
  Task start_from(const WarmStart& warm_start);
  Task grow(std::size_t& size);
  bool raise_price();
  Task refine(std::size_t most);
  void make(const State& state, const Move& move, State& next) const;  // the state after a move
  Key key(const State& state) const;
  bool has_fine(const State& state) const;
  bool stops_early() const { return options_.fewest_first && goal_.tau == 0; }
  bool done() const { return answer_.holds() && stops_early(); }  // no need for more changes

  // mixed_moves.cpp
  Task expand(std::size_t samples, std::size_t polishes);
  void list_moves(std::size_t state, std::size_t samples);
  void list_samples(std::size_t state, std::size_t feature, std::size_t samples);
  bool same_side(const Move& a, const Move& b) const;
  void digest_moves();
  void set_price();
  bool may_join(const State& state, std::size_t feature) const;
  void predict(const State& state, const Point& at);
  void keep_best(std::vector<State>& states, std::size_t most) const;

  Task polish_starts();  // mixed_finish.cpp

  // mixed_links.cpp
  void list_repairs(std::size_t state, std::size_t feature);
  void stay_within_implications(const State& start, Row& base) const;

  const std::vector<Axis>& axes_;  // of lattice_
  std::vector<State> beam_, next_, starts_;
  std::vector<Move> moves_;
  std::vector<Probe> probes_;
  std::vector<RowForms> rows_;
  std::vector<Point> points_;
  std::vector<Row> bases_;
  std::set<Key> tried_;  // starts that have been polished
  std::vector<int> touched_;
  std::vector<double> kappa_;

  double price_ = 1;  // of a unit of violation, in units of the cost; 0: not known yet
  State nearest_;     // the state with the least violation, if none is feasible
  double nearest_violation_ = 0, nearest_margin_ = 0, nearest_density_ = 0;
};

}  // namespace scfe
