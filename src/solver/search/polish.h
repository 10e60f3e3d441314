// The best point on one support: sequential quadratic programming with the margin linearised, the
// density replaced by its quadratic minorant (a true lower bound) and a trust region. A density without a
// bound on its curvature has a quadratic model instead, whose curvature follows what the trials show.
//
//     s = argmin |s|²  s.t.  t + grad·(s - w) >= margin, stored cuts, minorant >= floor, box, trust region
//     accept if |s|² + penalty falls (grow the region); else, if s is invalid and its linearisation does
//     not cut off w, keep that as a cut and shrink a little; else shrink
//
// Each call of digest() is one step, so that many candidates are polished side by side.
#pragma once

#include <span>
#include <vector>

#include "solver/search/goal.h"
#include "solver/search/qp.h"

namespace scfe {

struct PolishLimits {
  int rounds = 12;
  double region = 0.5;
  double tolerance = 1e-4;
};

class Polish {
 public:
  Polish(const Query& query, std::size_t max_changes);

  // Begins at w on the support: trial() must then be evaluated and digested.
  void start(const Row& row, const Goal& goal, const PolishLimits& limits, std::span<const int> support,
             std::span<const double> w);

  bool active() const { return active_; }
  bool started() const { return started_; }  // false: none of its points has been evaluated
  Point& trial() { return trial_; }
  // To be called once the trial is evaluated: accepts or rejects it, then proposes the next one or stops.
  void digest(Qp& qp);

  // The squared distance that the last linearised problem gave: an estimate for this support.
  double prospect() const { return prospect_; }
  void give_up() { active_ = false; }

  // The best feasible point; if there is none, the last accepted one.
  const Point& best() const { return found_ ? best_ : current_; }
  double merit() const { return found_ ? goal_.objective(best_) : Goal::infeasible + violation(current_); }

  static constexpr std::size_t max_cuts = 3;

 private:
  struct Cut {
    std::vector<double> slope;  // over the support
    double offset = 0;          // margin ~ offset + slope·s
  };
  void begin(const Row& row, const Goal& goal, const PolishLimits& limits, std::span<const int> support);
  void settle();
  void propose(Qp& qp);
  void write_problem(Qp& qp) const;
  bool store_cut();
  void drop_stale_cuts();
  void correct_curvature();
  double cut_at(const Cut& cut, const std::vector<double>& w) const;
  double penalised(const Point& p) const;
  double violation(const Point& p) const;
  double link_violation(const Point& p) const;
  void fill_values(const Point& p) const;

  const Query& query_;
  const Row* row_ = nullptr;
  Goal goal_;
  PolishLimits limits_;
  Point current_, trial_, best_;
  std::vector<double> kappa_;
  mutable std::vector<double> values_;  // of the whole row; only used if rules link features
  std::vector<Cut> cuts_;
  std::size_t cut_count_ = 0;
  double phi_ = 0, region_ = 0, step_ = 0, prospect_ = 0;
  double bend_ = 1;  // factor of kappa_; stays 1 where kappa_ is a bound
  int round_ = 0;
  bool active_ = false, started_ = false, found_ = false;
};

}  // namespace scfe
