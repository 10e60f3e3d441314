#include "solver/search/qp.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace scfe {
namespace {

// Cholesky of the lower half in place, then x; false where a pivot is as good as zero.
bool solve_symmetric(std::span<double> matrix, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = matrix[r * n + c];
      const double size = sum;
      for (std::size_t k = 0; k < c; ++k) sum -= matrix[r * n + k] * matrix[c * n + k];
      if (c < r) {
        matrix[r * n + c] = sum / matrix[c * n + c];
      } else {
        if (!(sum > 1e-12 * size)) return false;
        matrix[r * n + r] = std::sqrt(sum);
      }
    }
    for (std::size_t k = 0; k < r; ++k) x[r] -= matrix[r * n + k] * x[k];
    x[r] /= matrix[r * n + r];
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) x[r] -= matrix[k * n + r] * x[k];
    x[r] /= matrix[r * n + r];
  }
  return true;
}

}  // namespace

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
      stiffness_(max_size),
      give_(max_size),
      swept_(max_cuts),
      system_(max_cuts * max_cuts),
      step_(max_cuts) {
  binding_.reserve(max_cuts);
  events_.reserve(2 * max_size);
}

void Qp::make_room(std::size_t max_cuts) {
  if (max_cuts <= bound_.size()) return;
  cuts_.resize(max_size_ * max_cuts);
  bound_.resize(max_cuts);
  lambda_.resize(max_cuts);
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
  for (std::size_t j = 0; j < size_; ++j) sum += weight[j] * s_[j] * s_[j];
  return sum;
}

double Qp::bound() const {
  double value_of_dual = 0, asked = 0, reachable = 0;
  for (std::size_t i = 0; i < count_; ++i) asked += std::max(0.0, lambda_[i]) * bound_[i];
  for (std::size_t j = 0; j < size_; ++j) {
    double pull = 0;
    for (std::size_t i = 0; i < count_; ++i) pull += std::max(0.0, lambda_[i]) * cut(i)[j];
    const double s = std::clamp(pull / (2 * weight[j]), lo[j], hi[j]);
    value_of_dual += (weight[j] * s - pull) * s;
    reachable += pull * (pull > 0 ? hi[j] : lo[j]);
  }
  if (!std::isfinite(asked) || !std::isfinite(reachable)) return 0;  // says nothing
  // The cuts, added up by their multipliers, ask for more than the box holds.
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

// Over the box alone: a floor above it is out of reach.
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

double Qp::at(std::size_t j, double pull) const { return std::clamp(pull * give_[j], lo[j], hi[j]); }

void Qp::sort_events() {
  const auto before = [](const Event& x, const Event& y) { return x.lambda < y.lambda; };
  constexpr std::size_t few = 12;  // the call alone would take as long
  if (events_.size() > few) return std::sort(events_.begin(), events_.end(), before);
  for (std::size_t k = 1; k < events_.size(); ++k)
    for (std::size_t i = k; i > 0 && before(events_[i], events_[i - 1]); --i)
      std::swap(events_[i], events_[i - 1]);
}

// The lambda of cut i that closes its residual, the other multipliers as they are.
double Qp::multiplier(std::size_t i) {
  const std::span<const double> a = cut(i);
  double residual = -bound_[i], slope = 0;
  for (std::size_t j = 0; j < size_; ++j) residual += a[j] * at(j, pull_[j]);
  if (residual >= 0) return 0;
  events_.clear();
  for (std::size_t j = 0; j < size_; ++j) {
    if (std::abs(a[j]) < 1e-150 || lo[j] == hi[j]) continue;
    const double from = a[j] > 0 ? lo[j] : hi[j], to = a[j] > 0 ? hi[j] : lo[j], per = 1 / a[j];
    const double enters = (stiffness_[j] * from - pull_[j]) * per;
    const double leaves = (stiffness_[j] * to - pull_[j]) * per;
    if (leaves <= 0) continue;
    const double gain = a[j] * a[j] * give_[j];
    if (enters > 0)
      events_.push_back({enters, gain});
    else
      slope += gain;
    events_.push_back({leaves, -gain});
  }
  sort_events();
  double lambda = 0;
  for (const Event& event : events_) {
    const double then = residual + slope * (event.lambda - lambda);
    if (then >= 0 && slope > 0) return lambda - residual / slope;
    residual = then;
    lambda = event.lambda;
    slope = std::max(0.0, slope + event.slope);
  }
  return lambda;  // every coordinate is at its limit: as far as it goes
}

double Qp::reached(std::size_t i) const {
  double sum = 0;
  for (std::size_t j = 0; j < size_; ++j) sum += cut(i)[j] * s_[j];
  return sum;
}

// The pull of mu and of the multipliers as they are, and where it takes s.
void Qp::pull_with(double mu) {
  for (std::size_t j = 0; j < size_; ++j) {
    stiffness_[j] = 2 * weight[j] + mu * kappa[j];
    give_[j] = 1 / stiffness_[j];
    pull_[j] = mu * (g[j] + kappa[j] * w[j]);
    for (std::size_t i = 0; i < count_; ++i) pull_[j] += lambda_[i] * cut(i)[j];
    s_[j] = at(j, pull_[j]);
  }
}

// Dual ascent, each cut exactly in turn; how far s moved at most.
double Qp::sweep() {
  double change = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::span<const double> a = cut(i);
    const double old = lambda_[i];
    for (std::size_t j = 0; j < size_; ++j) pull_[j] -= old * a[j];
    lambda_[i] = multiplier(i);
    for (std::size_t j = 0; j < size_; ++j) {
      pull_[j] += lambda_[i] * a[j];
      change = std::max(change, std::abs((lambda_[i] - old) * a[j]) * give_[j]);
    }
  }
  for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
  return change;
}

// Every cut holds, and those that pull hold exactly.
bool Qp::is_solved() const {
  for (std::size_t i = 0; i < count_; ++i) {
    double size = std::abs(bound_[i]);
    for (std::size_t j = 0; j < size_; ++j) size += std::abs(cut(i)[j] * s_[j]);
    const double lack = bound_[i] - reached(i);
    if (lambda_[i] < 0 || lack > 1e-10 * size || (lambda_[i] > 0 && lack < -1e-10 * size)) return false;
  }
  return true;
}

// The step of the multipliers of the binding cuts that makes these hold exactly while no coordinate enters or
// leaves the sides of the box: A D^-1 A' step = lack over the free coordinates.
bool Qp::step_of_binding() {
  const std::size_t n = binding_.size();
  for (std::size_t r = 0; r < n; ++r) {
    step_[r] = bound_[binding_[r]] - reached(binding_[r]);
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < size_; ++j)
        if (s_[j] > lo[j] && s_[j] < hi[j]) sum += cut(binding_[r])[j] * cut(binding_[c])[j] * give_[j];
      system_[r * n + c] = sum;
    }
  }
  return solve_symmetric({system_.data(), n * n}, {step_.data(), n});
}

void Qp::move_multiplier(std::size_t i, double by) {
  lambda_[i] += by;
  for (std::size_t j = 0; j < size_; ++j) pull_[j] += by * cut(i)[j];
}

// Guesses that the cuts that pull now are the ones that bind; those whose multiplier would fall below zero
// let go. False, and nothing changed, where that does not solve the problem.
bool Qp::solve_binding() {
  std::copy_n(lambda_.begin(), count_, swept_.begin());
  binding_.clear();
  for (std::size_t i = 0; i < count_; ++i)
    if (lambda_[i] > 0) binding_.push_back(i);
  while (!binding_.empty() && step_of_binding()) {
    bool lets_go = false;
    for (std::size_t r = binding_.size(); r-- > 0;) {
      const std::size_t i = binding_[r];
      const bool below = lambda_[i] + step_[r] < 0;
      move_multiplier(i, below ? -lambda_[i] : step_[r]);
      if (below) {
        lambda_[i] = 0;
        binding_.erase(binding_.begin() + static_cast<std::ptrdiff_t>(r));
      }
      lets_go = lets_go || below;
    }
    for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
    if (is_solved()) return true;
    if (!lets_go) break;
  }
  for (std::size_t i = 0; i < count_; ++i) move_multiplier(i, swept_[i] - lambda_[i]);
  for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
  return false;
}

// s for a given mu, from the multipliers of the last one.
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
    if (sweep() < 1e-9 || solve_binding()) return;
    if (i % patience != patience - 1) continue;
    const double now = cut_shortfall();  // cuts that contradict each other never come closer
    if (now > 0.9 * before) return;
    before = now;
  }
}

// mu from 0 up until the floor holds. The minorant grows with mu, so a bracketed secant (Illinois) finds
// the root; the answer is taken from the side where the floor holds.
void Qp::raise_floor() {
  const auto lack = [&](double mu) {
    relax(mu);
    return floor - minorant();
  };
  constexpr double extreme = 4e12;
  if (highest_minorant() < floor) return relax(extreme);  // out of reach within the box
  double below = 0, above = 1, lack_below = floor - minorant(), lack_above = lack(above);
  for (int grow = 0; lack_above > 0 && grow < 14; ++grow) {
    below = above;
    lack_below = lack_above;
    above *= 8;
    lack_above = lack(above);
  }
  if (lack_above > 0) return;  // the cuts are in the way

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

// A network that is linear between two iterates gives the same cut twice: the tighter bound is enough.
void Qp::merge_parallel_cuts() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::span<const double> a = cut(i);
    const auto alike = [&](std::size_t k) {
      double apart = 0, size = 0;
      for (std::size_t j = 0; j < size_; ++j) {
        apart = std::max(apart, std::abs(a[j] - cut(k)[j]));
        size = std::max(size, std::abs(a[j]));
      }
      return apart <= 1e-12 * size;  // more would claim too much of what lies between them
    };
    std::size_t k = 0;
    while (k < kept && !alike(k)) ++k;
    if (k < kept) {
      bound_[k] = std::max(bound_[k], bound_[i]);
      continue;
    }
    std::copy(a.begin(), a.end(), cut(kept).begin());
    bound_[kept++] = bound_[i];
  }
  count_ = kept;
}

// Whether some cut holds nowhere in the box: then all that is left is to go its way.
bool Qp::has_cut_out_of_reach() const {
  for (std::size_t i = 0; i < count_; ++i) {
    double most = 0;
    for (std::size_t j = 0; j < size_; ++j) most += std::max(cut(i)[j] * lo[j], cut(i)[j] * hi[j]);
    if (most < bound_[i]) return true;
  }
  return false;
}

void Qp::solve() {
  merge_parallel_cuts();
  out_of_reach_ = has_cut_out_of_reach();
  std::fill_n(lambda_.begin(), count_, 0.0);
  relax(tau);
  if (with_floor && minorant() < floor) raise_floor();
}

}  // namespace scfe
