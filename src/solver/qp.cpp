#include "solver/qp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace scfe {

Qp::Qp(std::size_t max_size, std::size_t max_cuts)
    : weight(max_size),
      lo(max_size),
      hi(max_size),
      w(max_size),
      g(max_size),
      kappa(max_size),
      max_size_(max_size),
      cuts_(max_size * max_cuts),
      bound_(max_cuts),
      lambda_(max_cuts),
      s_(max_size),
      pull_(max_size),
      stiffness_(max_size) {
  events_.reserve(2 * max_size);
}

void Qp::make_room(std::size_t max_cuts) {
  if (max_cuts <= bound_.size()) return;
  cuts_.resize(max_size_ * max_cuts);
  bound_.resize(max_cuts);
  lambda_.resize(max_cuts);
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
  for (std::size_t j = 0; j < size_; ++j) sum += weight[j] * s_[j] * s_[j];
  return sum;
}

double Qp::bound() const {
  double value_of_dual = 0, asked = 0, reachable = 0;
  for (std::size_t i = 0; i < count_; ++i) asked += lambda_[i] * bound_[i];
  for (std::size_t j = 0; j < size_; ++j) {
    double pull = 0;
    for (std::size_t i = 0; i < count_; ++i) pull += lambda_[i] * cut(i)[j];
    const double s = std::clamp(pull / (2 * weight[j]), lo[j], hi[j]);
    value_of_dual += (weight[j] * s - pull) * s;
    reachable += pull * (pull > 0 ? hi[j] : lo[j]);
  }
  // The cuts, added up by their multipliers, ask for more than the box holds.
  if (reachable < asked - 1e-9 * (std::abs(asked) + std::abs(reachable))) return INFINITY;
  return std::isfinite(asked) ? value_of_dual + asked : 0.0;
}

double Qp::cut_shortfall() const {
  double worst = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    double reached = 0;
    for (std::size_t j = 0; j < size_; ++j) reached += cut(i)[j] * s_[j];
    worst = std::max(worst, bound_[i] - reached);
  }
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

double Qp::floor_shortfall() const { return with_floor ? std::max(0.0, floor - minorant()) : 0.0; }

double Qp::at(std::size_t j, double pull) const { return std::clamp(pull / stiffness_[j], lo[j], hi[j]); }

// The lambda of cut i that closes its residual, the other multipliers as they are.
double Qp::multiplier(std::size_t i) {
  const std::span<const double> a = cut(i);
  double residual = -bound_[i], slope = 0;
  events_.clear();
  for (std::size_t j = 0; j < size_; ++j) {
    residual += a[j] * at(j, pull_[j]);
    if (a[j] == 0 || lo[j] == hi[j]) continue;
    const double from = a[j] > 0 ? lo[j] : hi[j], to = a[j] > 0 ? hi[j] : lo[j];
    const double enters = (stiffness_[j] * from - pull_[j]) / a[j];
    const double leaves = (stiffness_[j] * to - pull_[j]) / a[j];
    if (leaves <= 0) continue;
    const double gain = a[j] * a[j] / stiffness_[j];
    if (enters > 0)
      events_.push_back({enters, gain});
    else
      slope += gain;
    events_.push_back({leaves, -gain});
  }
  if (residual >= 0) return 0;
  std::sort(events_.begin(), events_.end(),
            [](const Event& x, const Event& y) { return x.lambda < y.lambda; });
  double lambda = 0;
  for (const Event& event : events_) {
    const double reached = residual + slope * (event.lambda - lambda);
    if (reached >= 0 && slope > 0) return lambda - residual / slope;
    residual = reached;
    lambda = event.lambda;
    slope = std::max(0.0, slope + event.slope);
  }
  return lambda;  // every coordinate is at its limit: as far as it goes
}

// s for a given mu: dual ascent, each cut exactly in turn. One cut needs one pass.
void Qp::relax(double mu) {
  for (std::size_t j = 0; j < size_; ++j) {
    stiffness_[j] = 2 * weight[j] + mu * kappa[j];
    pull_[j] = mu * (g[j] + kappa[j] * w[j]);
  }
  std::fill_n(lambda_.begin(), count_, 0.0);
  constexpr int sweeps = 300;
  for (int sweep = 0; sweep < (count_ > 1 ? sweeps : 1); ++sweep) {
    double change = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::span<const double> a = cut(i);
      const double old = lambda_[i];
      for (std::size_t j = 0; j < size_; ++j) pull_[j] -= old * a[j];
      lambda_[i] = multiplier(i);
      for (std::size_t j = 0; j < size_; ++j) {
        pull_[j] += lambda_[i] * a[j];
        change = std::max(change, std::abs((lambda_[i] - old) * a[j]) / stiffness_[j]);
      }
    }
    // Multipliers that grow without end: the cuts cannot all hold.
    if (change < 1e-9 || !(change < 1e12)) break;
  }
  for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
}

// mu from 0 up until the floor holds. The minorant grows with mu, so a bracketed secant (Illinois) finds
// the root; the answer is taken from the side where the floor holds.
void Qp::raise_floor() {
  const auto lack = [&](double mu) {
    relax(mu);
    return floor - minorant();
  };
  double below = 0, above = 1, lack_below = floor - minorant(), lack_above = lack(above);
  for (int grow = 0; lack_above > 0 && grow < 14; ++grow) {
    below = above;
    lack_below = lack_above;
    above *= 8;
    lack_above = lack(above);
  }
  if (lack_above > 0) return;  // out of reach within the box

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
  relax(tau);
  if (with_floor && minorant() < floor) raise_floor();
}

}  // namespace scfe
