// The small problem that predicts and polishes a candidate on its support:
//
//     min  sum_j cost(weight_j, s_j)  -  tau m(s)             squares, or lengths (proximity/proximity.h)
//     s.t. a_i·s >= b_i                                       linearised margins and stored cuts
//          m(s) = value + g·(s - w) - 1/2 sum_j kappa_j (s_j - w_j)²  >=  floor     minorant of log q
//          lo <= s <= hi
//
// Its dual is separable: for multipliers lambda of the cuts and mu of the floor
//
//     s_j = clip(shrunk(sum_i lambda_i a_ij + mu (g_j + kappa_j w_j), threshold_j)
//                / (stiffness_j + mu kappa_j), lo_j, hi_j)
//
// with threshold 0 and stiffness 2 weight_j for squares. For lengths the threshold is weight_j; they have no
// curvature of their own, so a little is added around a centre, first w, then the last solution, until both
// agree (the proximal point method, which ends after finitely many steps for a linear program). Where few
// coordinates are between their ends, sweeps over nearly opposed cuts would creep; each is therefore followed
// by a step along the way that it took, as long as the dual grows.
//
// One cut: its residual is piecewise linear in lambda, so sorting the break points gives lambda exactly.
// Several cuts: sweeps of that show which cuts and which sides of the box bind; their multipliers then solve
// a linear system, accepted if the optimality conditions hold (qp_cuts.cpp). mu: a one-dimensional root
// search, where each solve starts from the multipliers of the last. If the constraints cannot all hold, the
// solution goes as far towards them as the box allows.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "proximity/proximity.h"

namespace scfe {

class Qp {
 public:
  Qp(std::size_t max_size, std::size_t max_cuts, const Proximity& proximity = {});
  void make_room(std::size_t max_cuts);  // for at least so many cuts

  // Begins a problem of that size without cuts and floor. The caller then fills the arrays below.
  void reset(std::size_t size);
  std::vector<double> weight, lo, hi;
  // The point w, and the minorant of log q around it (unused unless with_floor or tau > 0).
  std::vector<double> w, g, kappa;
  double value = 0, floor = 0, tau = 0;
  bool with_floor = false;
  // Adds a cut a·s >= b; the caller fills in the returned coefficients a.
  std::span<double> add_cut(double b);

  void solve();
  std::span<const double> solution() const { return {s_.data(), size_}; }
  double cost() const;             // sum_j cost(weight_j, s_j)
  double cut_shortfall() const;    // largest violation of the cuts, 0 if they hold
  double floor_shortfall() const;  // violation of the floor, 0 if it holds
  double minorant() const;         // m(s)
  // The value of the dual at the multipliers found: a lower bound of the cost under the cuts, even if the
  // sweeps did not converge; infinite if they show that the cuts cannot be met. Only without floor and tau.
  double bound() const;

 private:
  struct Event {
    double step, slope;
  };
  std::span<double> cut(std::size_t i) { return {cuts_.data() + i * max_size_, size_}; }
  std::span<const double> cut(std::size_t i) const { return {cuts_.data() + i * max_size_, size_}; }
  double at(std::size_t j, double pull) const;
  // True if s_j changes with its pull.
  bool is_free(std::size_t j) const {
    return s_[j] > lo[j] && s_[j] < hi[j] && (s_[j] != 0 || threshold_[j] == 0);
  }
  void solve_around_centre();
  bool move_centre();
  void relax(double mu);
  double least_step(std::span<const double> a, double b);
  void go_on_along_sweep();
  void sort_events();
  double reached(std::size_t i) const;
  double highest_minorant() const;
  void pull_with(double mu);
  double sweep();
  void merge_parallel_cuts();
  bool has_cut_out_of_reach() const;
  bool step_of_binding();
  void move_multiplier(std::size_t i, double by);
  bool solve_binding();
  bool is_solved() const;
  void raise_floor();

  Proximity proximity_;
  std::size_t max_size_, size_ = 0, count_ = 0;
  std::vector<double> cuts_, bound_, lambda_, s_, pull_, stiffness_, give_;  // give: 1 / stiffness
  std::vector<double> threshold_, own_stiffness_, own_pull_;                 // of the cost alone
  std::vector<double> before_, along_;                                       // of go_on_along_sweep
  std::vector<double> swept_, system_, step_;                                // of solve_binding
  std::vector<std::size_t> binding_;
  bool out_of_reach_ = false;
  std::vector<Event> events_;
};

}  // namespace scfe
