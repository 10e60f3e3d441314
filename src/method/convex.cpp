#include "method/convex.h"

#include <algorithm>
#include <cmath>

#include "method/cholesky.h"

namespace scfe {
namespace {

constexpr double growth = 20, least_gap = 1e-9;
constexpr int newton_steps = 60, barrier_stages = 40;

// In phase one the program has one more variable, s: every constraint may be violated by s, and s >= -1 is
// minimised. For the ellipsoid, s counts in units of `give`.
struct Barrier {
  const ConvexProgram& p;
  bool phase_one;
  std::size_t n, core;
  std::vector<double> norm;  // of each row, to measure violations as distances
  double give = 1;
  std::vector<double> x, slack, gradient, hessian, step, trial, pull;

  Barrier(const ConvexProgram& program, bool first)
      : p(program), phase_one(first), n(program.variables() + (first ? 1 : 0)), core(program.variables()) {
    for (std::size_t i = 0; i < p.rows(); ++i) {
      double square = 0;
      for (std::size_t j = 0; j < core; ++j) square += p.a[i * core + j] * p.a[i * core + j];
      norm.push_back(square > 0 ? std::sqrt(square) : 1.0);
    }
    give = std::max(p.radius, 1e-12);
    x.resize(n);
    slack.resize(constraints());
    gradient.resize(n);
    hessian.resize(n * n);
    step.resize(n);
    trial.resize(n);
    pull.resize(core);
  }

  std::size_t constraints() const { return p.rows() + (p.shape.empty() ? 0 : 1) + (phase_one ? 1 : 0); }
  double extra(const std::vector<double>& at) const { return phase_one ? at[core] : 0; }

  // Computes the slacks. False unless all are positive.
  bool inside(const std::vector<double>& at) {
    bool all = true;
    for (std::size_t i = 0; i < p.rows(); ++i) {
      double s = p.b[i];
      for (std::size_t j = 0; j < core; ++j) s -= p.a[i * core + j] * at[j];
      slack[i] = s / norm[i] + extra(at);
      all = all && slack[i] > 0;
    }
    if (!p.shape.empty()) {
      slack[p.rows()] = (p.radius - distance(at)) / give + extra(at);
      all = all && slack[p.rows()] > 0;
    }
    if (phase_one) {
      slack.back() = 1 + at[core];
      all = all && slack.back() > 0;
    }
    return all;
  }

  // (x - centre)' P (x - centre); leaves P (x - centre) in pull.
  double distance(const std::vector<double>& at) {
    double sum = 0;
    for (std::size_t i = 0; i < core; ++i) {
      pull[i] = 0;
      for (std::size_t j = 0; j < core; ++j) pull[i] += p.shape[i * core + j] * (at[j] - p.centre[j]);
      sum += pull[i] * (at[i] - p.centre[i]);
    }
    return sum;
  }

  double objective(const std::vector<double>& at) const {
    if (phase_one) return at[core];
    double sum = 0;
    for (std::size_t j = 0; j < core; ++j) sum += (p.q[j] * at[j] + p.c[j]) * at[j];
    return sum;
  }

  double value(const std::vector<double>& at, double t) {
    if (!inside(at)) return INFINITY;
    double sum = t * objective(at);
    for (const double s : slack) sum -= std::log(s);
    return sum;
  }

  void add(std::span<const double> a, double scale, double per_extra, double s) {
    // -log(s): gradient -grad s / s, Hessian grad s grad s' / s², with grad s = (-a scale, per_extra).
    for (std::size_t i = 0; i < n; ++i) {
      const double gi = i < core ? -a[i] * scale : per_extra;
      if (gi == 0) continue;
      gradient[i] -= gi / s;
      for (std::size_t j = 0; j <= i; ++j)
        hessian[i * n + j] += gi * (j < core ? -a[j] * scale : per_extra) / (s * s);
    }
  }

  void differentiate(double t) {
    inside(x);
    std::fill(gradient.begin(), gradient.end(), 0.0);
    std::fill(hessian.begin(), hessian.end(), 0.0);
    if (phase_one) gradient[core] = t;
    for (std::size_t j = 0; !phase_one && j < core; ++j) {
      gradient[j] = t * (2 * p.q[j] * x[j] + p.c[j]);
      hessian[j * n + j] = 2 * t * p.q[j];
    }
    for (std::size_t i = 0; i < p.rows(); ++i)
      add(std::span(p.a).subspan(i * core, core), 1 / norm[i], phase_one ? 1 : 0, slack[i]);
    if (!p.shape.empty()) {
      const double s = slack[p.rows()];
      distance(x);
      for (std::size_t i = 0; i < core; ++i)
        for (std::size_t j = 0; j <= i; ++j) hessian[i * n + j] += 2 * p.shape[i * core + j] / (give * s);
      add(pull, 2 / give, phase_one ? 1 : 0, s);
    }
    if (phase_one) {
      gradient[core] -= 1 / slack.back();
      hessian[core * n + core] += 1 / (slack.back() * slack.back());
    }
  }

  // True if it took a step and another one may help.
  bool newton(double t) {
    differentiate(t);
    double trace = 0;
    for (std::size_t j = 0; j < n; ++j) trace += hessian[j * n + j];
    for (std::size_t j = 0; j < n; ++j) hessian[j * n + j] += 1e-14 * trace;
    if (!factorise(hessian, n)) return false;
    for (std::size_t j = 0; j < n; ++j) step[j] = -gradient[j];
    solve_factorised(hessian, n, step);
    double decrement = 0;
    for (std::size_t j = 0; j < n; ++j) decrement -= gradient[j] * step[j];
    if (!(decrement > 1e-10)) return false;
    const double now = value(x, t);
    for (double length = 1; length > 1e-12; length *= 0.5) {
      for (std::size_t j = 0; j < n; ++j) trial[j] = x[j] + length * step[j];
      if (value(trial, t) <= now - 0.1 * length * decrement) {
        x.swap(trial);
        return true;
      }
    }
    return false;
  }

  void centre(double t) {
    for (int i = 0; i < newton_steps && newton(t); ++i) continue;
  }
};

// A strictly feasible point; empty if none was found.
std::vector<double> interior(const ConvexProgram& program, std::span<const double> start) {
  constexpr double deep = 1e-3, least = 1e-9;
  Barrier barrier(program, true);
  const std::size_t n = program.variables();
  std::copy(start.begin(), start.end(), barrier.x.begin());
  barrier.inside(barrier.x);
  const double worst = *std::min_element(barrier.slack.begin(), barrier.slack.end() - 1);
  barrier.x[n] = std::max(0.0, -worst) + 1;
  double t = 1;
  for (int stage = 0; stage < barrier_stages; ++stage, t *= growth) {
    for (int i = 0; i < newton_steps && barrier.x[n] > -deep && barrier.newton(t); ++i) continue;
    const double gap = static_cast<double>(barrier.constraints()) / t;
    if (barrier.x[n] <= -deep || barrier.x[n] - gap > 0 || gap < 1e-2 * least) break;
  }
  if (barrier.x[n] > -least) return {};
  barrier.x.resize(n);
  return barrier.x;
}

}  // namespace

std::span<double> ConvexProgram::add_row(double bound) {
  b.push_back(bound);
  a.resize(a.size() + variables(), 0.0);
  return std::span(a).last(variables());
}

void ConvexProgram::add_box(std::size_t variable, double lo, double hi) {
  add_row(hi)[variable] = 1;
  add_row(-lo)[variable] = -1;
}

ConvexAnswer solve_convex(const ConvexProgram& program, std::span<const double> start) {
  ConvexAnswer answer;
  answer.x = interior(program, start);
  if (answer.x.empty()) return answer;
  answer.feasible = true;
  Barrier barrier(program, false);
  barrier.x = answer.x;
  double t = 1;
  for (int stage = 0; stage < barrier_stages; ++stage, t *= growth) {
    barrier.centre(t);
    const double gap = static_cast<double>(barrier.constraints()) / t;
    if (gap < least_gap * (1 + std::abs(barrier.objective(barrier.x)))) break;
  }
  answer.x = barrier.x;
  answer.value = barrier.objective(answer.x);
  return answer;
}

}  // namespace scfe
