// Support search for tables that mix numbers with categories and few-valued numbers.
//
//     beam = {x_f}
//     for k = 1..m:
//       each state: one gradient; an exact table of all one-feature moves (every level, samples of a fine
//       number; forward only); the small QP's move for every fine number
//       a feasible entry is an answer as it stands; the best that contain a fine number are polished there,
//       then rounded
//       keep the best distinct (support, levels) by cost + what is missing
//       stop if feasible                                                   (fewest changes first)
//     sweeps around the answer: drop one change, try every move in its place
//     rules between features: what a state breaks counts as missing, so that the next change may repair it;
//     linear ones are cuts of the QP; an equality determines the finest of its numbers
//
// Rounding: the coarser numbers take each of four neighbours while the finest is solved again by bisection on
// its grid (nearest rounding breaks half of the polished points). Every row that is measured here is
// written as it would be in a file, so nothing has to be re-checked.
// Never ranked by feasibility first: the beam would fill with changes of level that cannot get cheaper.
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
  // A row under way. Fine numbers of the support stand at a sample until they are polished.
  struct State {
    std::vector<double> values;
    std::vector<int> support;  // features, ascending
    double cost = 0;           // squared distance
    double score = 0;          // of a state to keep, or of a start for a polish
    int kind = 0;              // how it came about: a start of another kind is worth a polish of its own
  };
  // Identifies a state up to the position of its fine numbers, of which only the side counts.
  using Key = std::vector<int>;
  struct Move {
    std::size_t state;
    int feature;
    double value, cost;
  };
  // Where the best states of one key stand, for each kind of them.
  struct Places {
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::array<std::size_t, 3> of_kind = {none, none, none};
    void put(std::vector<State>& states, const State& state, std::size_t kind);
  };
  // The finest number of a rounded candidate, on its grid: `inside` holds, `outside` does not.
  struct Dependent {
    std::size_t feature;
    const Link* link;  // an equality that determines it
  };
  struct Line {
    RowForms row;
    std::vector<double> values;
    std::size_t feature;
    double base_cost, side;  // cost of all the others; which way it goes from the factual
    double first, last;      // fewest and most steps worth trying
    double at, inside, outside, stride;
    bool active;
    std::vector<Dependent> dependents = {};  // what follows from the others
  };

  // mixed.cpp
  void begin() override;
  // `starts` are not used: all one-feature moves are looked at.
  Task explore(std::span<const Start> starts) override;
  Task improve() override;
  void describe_nearest(Found& found) const override;
  Task start_from(const WarmStart& warm_start);
  Task refine(std::size_t most);
  void accept(const std::vector<double>& values, double cost, const Probe& measured);
  void make(const State& state, const Move& move, State& next) const;  // the state after a move
  Key key(const State& state) const;
  double cost_of(const std::vector<double>& values) const;
  bool has_fine(const State& state) const;
  bool stops_early() const { return options_.fewest_first && goal_.tau == 0; }
  bool done() const { return answer_.holds() && stops_early(); }  // more changes are of no use

  // mixed_moves.cpp
  Task expand(std::size_t samples, std::size_t polishes);
  void list_moves(std::size_t state, std::size_t samples);
  void list_samples(std::size_t state, std::size_t feature, std::size_t samples);
  bool same_side(const Move& a, const Move& b) const;
  void digest_moves();
  bool may_join(const State& state, std::size_t feature) const;
  void predict(const State& state, const Point& at);
  void keep_best(std::vector<State>& states, std::size_t most) const;

  // mixed_finish.cpp
  Task polish_starts();
  void round_fine(const State& start, const Point& polished);
  void add_line(const std::vector<double>& values, std::size_t finest, double near,
                const std::vector<Dependent>& dependents);
  Task bisect_lines();
  void advance(Line& line, const Probe& probe);
  double value_at(const Line& line, double steps) const;

  // mixed_links.cpp
  void list_repairs(std::size_t state, std::size_t feature);
  std::vector<Dependent> take_dependents(std::vector<std::size_t>& fine) const;
  double fineness(std::size_t feature) const;
  void place(Line& line, double steps) const;
  bool keeps_limits(const Line& line) const;
  bool clip(Line& line) const;

  std::vector<Axis> axes_;
  std::vector<State> beam_, next_, starts_;
  std::vector<Move> moves_;
  std::vector<Probe> probes_;
  std::vector<RowForms> rows_;
  std::vector<Point> points_;
  std::vector<Row> bases_;
  std::vector<Line> lines_;
  std::set<Key> tried_;  // starts that were polished
  std::vector<int> touched_;
  std::vector<double> kappa_;

  State nearest_;  // what came closest, where nothing holds
  double nearest_violation_ = 0, nearest_margin_ = 0, nearest_density_ = 0;
};

}  // namespace scfe
