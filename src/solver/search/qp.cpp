#include "solver/search/qp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace scfe {
namespace {

// The least cost(weight, s) - pull s over lo <= s <= hi. Lengths are linear on either side of 0, so one of
// the ends is the least, or the point nearest to 0.
double least_of(const Proximity& proximity, double weight, double pull, double lo, double hi) {
  if (proximity.squared) {
    const double s = std::clamp(pull / (2 * weight), lo, hi);
    return (weight * s - pull) * s;
  }
  const auto value = [&](double s) { return weight * std::abs(s) - pull * s; };
  return std::min({value(lo), value(hi), value(std::clamp(0.0, lo, hi))});
}

}  // namespace

Qp::Qp(std::size_t max_size, std::size_t max_cuts, const Proximity& proximity)
    : weight(max_size),
      lo(max_size),
      hi(max_size),
      w(max_size),
      g(max_size),
      kappa(max_size),
      proximity_(proximity),
      max_size_(max_size),
      cuts_(max_size * max_cuts),
      bound_(max_cuts),
      lambda_(max_cuts),
      s_(max_size),
      pull_(max_size),
      stiffness_(max_size),
      give_(max_size),
      threshold_(max_size),
      own_stiffness_(max_size),
      own_pull_(max_size),
      before_(max_cuts),
      along_(max_size),
      swept_(max_cuts),
      system_(max_cuts * max_cuts),
      step_(max_cuts) {
  binding_.reserve(max_cuts);
  events_.reserve(4 * max_size);
}

void Qp::make_room(std::size_t max_cuts) {
  if (max_cuts <= bound_.size()) return;
  cuts_.resize(max_size_ * max_cuts);
  bound_.resize(max_cuts);
  lambda_.resize(max_cuts);
  before_.resize(max_cuts);
  swept_.resize(max_cuts);
  system_.resize(max_cuts * max_cuts);
  step_.resize(max_cuts);
  binding_.reserve(max_cuts);
}

void Qp::reset(std::size_t size) {
  assert(size <= max_size_);
  size_ = size;
  count_ = 0;
  tau = 0;
  with_floor = false;
}

std::span<double> Qp::add_cut(double b) {
  assert(count_ < bound_.size());
  bound_[count_] = b;
  return cut(count_++);
}

double Qp::cost() const {
  double sum = 0;
  for (std::size_t j = 0; j < size_; ++j) sum += proximity_.cost(weight[j], s_[j]);
  return sum;
}

double Qp::bound() const {
  double value_of_dual = 0, asked = 0, reachable = 0;
  for (std::size_t i = 0; i < count_; ++i) asked += std::max(0.0, lambda_[i]) * bound_[i];
  for (std::size_t j = 0; j < size_; ++j) {
    double pull = 0;
    for (std::size_t i = 0; i < count_; ++i) pull += std::max(0.0, lambda_[i]) * cut(i)[j];
    value_of_dual += least_of(proximity_, weight[j], pull, lo[j], hi[j]);
    reachable += pull * (pull > 0 ? hi[j] : lo[j]);
  }
  if (!std::isfinite(asked) || !std::isfinite(reachable)) return 0;  // a trivial bound
  // The sum of the cuts, weighted by their multipliers, cannot be met within the box.
  if (reachable < asked - 1e-9 * (std::abs(asked) + std::abs(reachable))) return INFINITY;
  return value_of_dual + asked;
}

double Qp::cut_shortfall() const {
  double worst = 0;
  for (std::size_t i = 0; i < count_; ++i) worst = std::max(worst, bound_[i] - reached(i));
  return worst;
}

double Qp::minorant() const {
  double m = value;
  for (std::size_t j = 0; j < size_; ++j) {
    const double step = s_[j] - w[j];
    m += (g[j] - 0.5 * kappa[j] * step) * step;
  }
  return m;
}

// The maximum over the box, without the cuts: a higher floor cannot be met.
double Qp::highest_minorant() const {
  double m = value;
  for (std::size_t j = 0; j < size_; ++j) {
    const double free = kappa[j] > 0 ? g[j] / kappa[j] : std::copysign(INFINITY, g[j]);
    const double step = g[j] == 0 ? 0.0 : std::clamp(free, lo[j] - w[j], hi[j] - w[j]);
    m += (g[j] - 0.5 * kappa[j] * step) * step;
  }
  return m;
}

double Qp::floor_shortfall() const { return with_floor ? std::max(0.0, floor - minorant()) : 0.0; }

double Qp::at(std::size_t j, double pull) const {
  return std::clamp(shrunk(pull, threshold_[j]) * give_[j], lo[j], hi[j]);
}

void Qp::sort_events() {
  const auto before = [](const Event& x, const Event& y) { return x.step < y.step; };
  constexpr std::size_t few = 12;  // for so few, calling std::sort costs more than sorting
  if (events_.size() > few) return std::sort(events_.begin(), events_.end(), before);
  for (std::size_t k = 1; k < events_.size(); ++k)
    for (std::size_t i = k; i > 0 && before(events_[i], events_[i - 1]); --i)
      std::swap(events_[i], events_[i - 1]);
}

// The least step >= 0 of all pulls along a, after which a·s >= b.
double Qp::least_step(std::span<const double> a, double b) {
  double residual = -b, slope = 0;
  for (std::size_t j = 0; j < size_; ++j) residual += a[j] * at(j, pull_[j]);
  if (residual >= 0) return 0;
  events_.clear();
  for (std::size_t j = 0; j < size_; ++j) {
    if (std::abs(a[j]) < 1e-150 || lo[j] == hi[j]) continue;
    const double per = 1 / a[j], gain = a[j] * a[j] * give_[j];
    // s_j moves from one end to the other while its pull, less the threshold, is stiffness_j s_j.
    const auto move = [&](double least, double most, double threshold) {
      const double from = a[j] > 0 ? least : most, to = a[j] > 0 ? most : least;
      const double enters = (stiffness_[j] * from + threshold - pull_[j]) * per;
      const double leaves = (stiffness_[j] * to + threshold - pull_[j]) * per;
      if (leaves <= 0) return;
      if (enters > 0)
        events_.push_back({enters, gain});
      else
        slope += gain;
      events_.push_back({leaves, -gain});
    };
    if (threshold_[j] == 0) {
      move(lo[j], hi[j], 0);
      continue;
    }
    if (lo[j] < 0) move(lo[j], std::min(hi[j], 0.0), -threshold_[j]);
    if (hi[j] > 0) move(std::max(lo[j], 0.0), hi[j], threshold_[j]);
  }
  sort_events();
  double step = 0;
  for (const Event& event : events_) {
    const double then = residual + slope * (event.step - step);
    if (then >= 0 && slope > 0) return step - residual / slope;
    residual = then;
    step = event.step;
    slope = std::max(0.0, slope + event.slope);
  }
  return step;  // every coordinate is at its limit: the cut cannot be met
}

double Qp::reached(std::size_t i) const {
  double sum = 0;
  for (std::size_t j = 0; j < size_; ++j) sum += cut(i)[j] * s_[j];
  return sum;
}

// Computes pull_ and s for mu and the present multipliers.
void Qp::pull_with(double mu) {
  for (std::size_t j = 0; j < size_; ++j) {
    stiffness_[j] = own_stiffness_[j] + mu * kappa[j];
    give_[j] = 1 / stiffness_[j];
    pull_[j] = own_pull_[j] + mu * (g[j] + kappa[j] * w[j]);
    for (std::size_t i = 0; i < count_; ++i) pull_[j] += lambda_[i] * cut(i)[j];
    s_[j] = at(j, pull_[j]);
  }
}

// Dual ascent, one cut after the other, each solved exactly. Returns the largest change of s.
double Qp::sweep() {
  double change = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::span<const double> a = cut(i);
    const double old = lambda_[i];
    for (std::size_t j = 0; j < size_; ++j) pull_[j] -= old * a[j];
    lambda_[i] = least_step(a, bound_[i]);
    for (std::size_t j = 0; j < size_; ++j) {
      pull_[j] += lambda_[i] * a[j];
      change = std::max(change, std::abs((lambda_[i] - old) * a[j]) * give_[j]);
    }
  }
  for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
  return change;
}

// After a sweep that changed the multipliers from before_.
void Qp::go_on_along_sweep() {
  std::fill_n(along_.begin(), size_, 0.0);
  double b = 0, most = INFINITY;
  for (std::size_t i = 0; i < count_; ++i) {
    const double by = lambda_[i] - before_[i];
    if (by == 0) continue;
    for (std::size_t j = 0; j < size_; ++j) along_[j] += by * cut(i)[j];
    b += by * bound_[i];
    if (by < 0) most = std::min(most, lambda_[i] / -by);
  }
  const double step = std::min(most, least_step({along_.data(), size_}, b));
  if (!(step > 0)) return;
  for (std::size_t i = 0; i < count_; ++i)
    lambda_[i] = std::max(0.0, lambda_[i] + step * (lambda_[i] - before_[i]));
  for (std::size_t j = 0; j < size_; ++j) {
    pull_[j] += step * along_[j];
    s_[j] = at(j, pull_[j]);
  }
}

// Solves for s with mu fixed, starting from the multipliers of the last call.
void Qp::relax(double mu) {
  pull_with(mu);
  if (count_ == 0) return;
  if (count_ == 1) {
    (void)sweep();
    return;
  }
  constexpr int most_sweeps = 300, patience = 20;
  const int sweeps = out_of_reach_ ? 2 : most_sweeps;
  double before = INFINITY;
  for (int i = 0; i < sweeps; ++i) {
    if (!proximity_.squared) std::copy_n(lambda_.begin(), count_, before_.begin());
    if (sweep() < 1e-9 || solve_binding()) return;
    if (!proximity_.squared) go_on_along_sweep();
    if (i % patience != patience - 1) continue;
    const double now = cut_shortfall();  // contradicting cuts never get closer
    if (now > 0.9 * before) return;
    before = now;
  }
}

// Raises mu until the floor holds. The minorant grows with mu, so a bracketed secant method (Illinois) finds
// the root; the solution is taken from the side where the floor holds.
void Qp::raise_floor() {
  const auto lack = [&](double mu) {
    relax(mu);
    return floor - minorant();
  };
  constexpr double extreme = 4e12;
  if (highest_minorant() < floor) return relax(extreme);  // it cannot be met within the box
  double below = 0, above = 1, lack_below = floor - minorant(), lack_above = lack(above);
  for (int grow = 0; lack_above > 0 && grow < 14; ++grow) {
    below = above;
    lack_below = lack_above;
    above *= 8;
    lack_above = lack(above);
  }
  if (lack_above > 0) return;  // it cannot be met together with the cuts

  const double close_enough = 1e-9 * (1 + std::abs(floor));
  double slack = -lack_above;
  int last_side = 0;
  for (int i = 0; i < 60 && slack > close_enough && above - below > 1e-13 * above; ++i) {
    const double mu = below + (above - below) * lack_below / (lack_below - lack_above);
    const double now = lack(mu);
    const int side = now > 0 ? -1 : 1;
    if (side < 0) {
      below = mu;
      lack_below = now;
      if (last_side == side) lack_above *= 0.5;
    } else {
      above = mu;
      lack_above = now;
      slack = -now;
      if (last_side == side) lack_below *= 0.5;
    }
    last_side = side;
  }
  relax(above);
}

void Qp::solve() {
  merge_parallel_cuts();
  out_of_reach_ = has_cut_out_of_reach();
  std::fill_n(lambda_.begin(), count_, 0.0);
  for (std::size_t j = 0; j < size_; ++j) {
    threshold_[j] = proximity_.threshold(weight[j]);
    own_stiffness_[j] = proximity_.stiffness(weight[j]);
    own_pull_[j] = proximity_.squared ? 0 : own_stiffness_[j] * w[j];
  }
  solve_around_centre();
  constexpr int most_centres = 12;
  for (int i = 1; i < most_centres && !proximity_.squared && move_centre(); ++i) solve_around_centre();
}

void Qp::solve_around_centre() {
  relax(tau);
  if (with_floor && minorant() < floor) raise_floor();
}

// Makes the solution the new centre. False if it is where the centre was.
bool Qp::move_centre() {
  double moved = 0;
  for (std::size_t j = 0; j < size_; ++j) {
    const double centre = own_stiffness_[j] * s_[j];
    moved = std::max(moved, std::abs(centre - own_pull_[j]));
    own_pull_[j] = centre;
  }
  return moved > 1e-9;
}

}  // namespace scfe
