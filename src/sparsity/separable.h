// Sparsity as a sum over features: beta sum_j power(|w_j|). Each feature is minimised on its own. A one-hot
// group counts as one feature with the change s that its own level loses (one_hot.h).
//
// With b = beta step, the objective of one feature minus its value at w = 0, times 2 step, is
//
//     cost(w) = w (w - 2 v) + 2 b power(|w|),          cost(0) = 0
//
// which, unlike (w - v)² + 2 b power(|w|) - v², avoids cancellation for huge v. Everything is computed in
// double, so that rounding does not decide which candidate wins.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>

#include "sparsity/one_hot.h"

namespace scfe {

// A Rule has  static double minimiser(double v, double b, double lo, double hi),
//             static double stationary(double v, double b)  (one_hot.h)  and
//             static double power(double magnitude).
template <class Rule>
class Separable final : public Prox {
 public:
  explicit Separable(double beta, const Sparsity& sparsity) : beta_(beta), groups_(sparsity) {}

  void prox(const Block& v, const float* step, const Box& box, Block& w) const override {
    assert(w.features() == v.features() && w.lanes() == v.lanes());
    for (std::size_t j = 0; j < v.features(); ++j)
      for (std::size_t lane = 0; lane < v.lanes(); ++lane)
        w[j][lane] = static_cast<float>(
            Rule::minimiser(v[j][lane], beta_ * step[lane], box.lo[j][lane], box.hi[j][lane]));
    for (std::size_t g = 0; g < groups_.count(v.features()); ++g)
      for (std::size_t lane = 0; lane < v.lanes() && groups_.is_one_hot(g); ++lane)
        move_shares<Rule>(groups_, g, lane, v, beta_ * step[lane], box, w);
  }

  void value(const Block& w, float* value) const override {
    for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
      double sum = 0;
      for (std::size_t g = 0; g < groups_.count(w.features()); ++g) {
        const bool one_hot = groups_.is_one_hot(g);
        double moved = 0;
        groups_.for_each_column(g, [&](std::size_t j) {
          moved += std::fabs(w[j][lane]) / 2;
          if (!one_hot) sum += Rule::power(std::fabs(w[j][lane]));
        });
        if (one_hot) sum += Rule::power(moved);
      }
      value[lane] = static_cast<float>(beta_ * sum);
    }
  }

 private:
  double beta_;
  Groups groups_;
};

// The cheaper of 0 and the clamp of the largest stationary point; a tie goes to 0.
//
// For v > 0 and 0 < p < 1 the cost either increases everywhere, or it has a local maximum followed by a local
// minimum s. Over [0, hi] the minimum is 0 or min(s, hi): if hi lies between the maximum and s, the cost
// decreases up to hi; if it lies before the maximum, 0 is better. Values below 0 never are.
template <class Power>
double zero_or_clamped(double stationary, double v, double b, double lo, double hi, Power power) {
  const double moved = bounded(static_cast<double>(static_cast<float>(stationary)), lo, hi);
  const double cost = moved * (moved - 2 * v) + 2 * b * power(std::fabs(moved));
  return cost < 0 ? moved : 0.0;
}

}  // namespace scfe
