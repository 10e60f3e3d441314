// The closest row that can be written near polished points.
//
// The numbers of a polished point lie between writable values. All but the finest take writable values around
// their own; each such choice is a line, along which the finest number is solved again on its grid:
//
//     choices   up to 64, of the values nearest to each coarser number: two on either side, and those farther
//               away that are predicted to be cheaper
//     predict   the steps of the finest number that each choice needs, by the margins and log q linearised at
//               the polished point
//     walk      each line from there to its fewest steps that are feasible, the line that is predicted to be
//               the cheapest first; never where it cannot be closer than the best row so far
//
// A number without a step has a grid of 2^-20 of its range. If log q is maximised, the nearest values of all
// numbers are tried, and there are no lines. Rules are heeded: linear ones limit a line, and numbers that
// equalities determine follow (lattice_links.cpp).
//
// Every row is evaluated as it would be written to a file, so nothing has to be checked again.
#pragma once

#include <span>
#include <vector>

#include "solver/search/answer.h"
#include "solver/search/axis.h"
#include "support/task.h"

namespace scfe {

class Lattice {
 public:
  // `answer` is replaced by what is better by `goal`. Both belong to the search and may change.
  Lattice(Lanes& lanes, const Goal& goal, Answer& answer);

  void begin(const Row& row);
  const std::vector<Axis>& axes() const { return axes_; }

  // Takes a row, evaluated as it would be written, as the answer if it is feasible and better.
  void accept(const std::vector<double>& values, double cost, const Probe& measured);
  double cost_of(std::span<const double> values) const { return space_.cost(row_->values, values); }

  // Lists the lines near a polished point, whose gradients are evaluated. `values`: the whole row, of which
  // the numbers of the point's support are replaced.
  void add(const Point& polished, std::vector<double> values);
  // Walks all lines that were listed.
  Task walk();

 private:
  struct Dependent {
    std::size_t feature;
    const Link* link;  // an equality that determines it
  };
  // A coarser number of the polished point, the values that it may take, and their costs.
  struct Coarse {
    std::size_t feature;
    std::vector<double> values, costs;
  };
  // Steps are those of the finest number's grid, away from the factual. `inside` is feasible, `outside` is
  // not; -1: not known yet.
  struct Line {
    RowForms row;
    std::vector<double> values;
    std::size_t feature = 0;         // the finest number
    double side = 1;                 // -1 below the factual, 1 above
    double base_cost = 0, unit = 0;  // cost of all other changes, and of one step
    double first = 0, last = 0;      // fewest and most steps worth trying
    double at = 0, stride = 1, inside = -1, outside = -1;
    double price = 0;  // predicted cost
    bool active = true;
    std::vector<Dependent> dependents = {};  // numbers that equalities determine
  };

  void list_values(std::span<const std::size_t> numbers);
  bool choose(std::size_t place);
  void add_lines(const Point& polished);
  void add_points();
  double steps_needed(const Point& polished, double side) const;
  void add_line(double side, double at, bool is_point = false);
  bool aim(Line& line) const;
  double affordable(const Line& line) const;
  void advance(Line& line, const Probe& probe);
  double value_at(const Line& line, double steps) const;

  // lattice_links.cpp
  std::vector<Dependent> take_dependents(std::vector<std::size_t>& fine) const;
  double fineness(std::size_t feature) const;
  void place(Line& line, double steps) const;
  bool keeps_limits(const Line& line) const;
  bool clip(Line& line) const;

  Lanes& lanes_;
  const Space& space_;
  const Writing& writing_;
  const Goal& goal_;
  Answer& answer_;
  const Row* row_ = nullptr;

  std::vector<Axis> axes_;
  std::vector<double> near_, chosen_;  // the polished values, and those of a choice
  std::size_t finest_ = 0, combinations_ = 1;
  double coarse_cost_ = 0;  // of the coarser numbers of chosen_
  std::vector<Coarse> coarse_;
  std::vector<Dependent> dependents_;
  std::vector<Line> lines_;
  std::vector<Probe> probes_;
};

}  // namespace scfe
