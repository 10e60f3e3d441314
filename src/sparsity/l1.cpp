// beta |w|_1: the convex relaxation. It shrinks every change by b = beta step, so answers are biased towards
// small changes, and few changes become exactly 0.
//
// Per feature the cost is convex, so the minimiser over the box is the clamp of the soft threshold
//     sign(v) max(|v| - b, 0).
#include <algorithm>

#include "sparsity/operators.h"
#include "sparsity/separable.h"

namespace scfe {
namespace {

struct L1 {
  static double minimiser(double v, double b, double lo, double hi) {
    return bounded(v > 0 ? std::max(v - b, 0.0) : std::min(v + b, 0.0), lo, hi);
  }
  static double stationary(double v, double b) { return v - b; }
  static double power(double magnitude) { return magnitude; }
};

}  // namespace

std::unique_ptr<Prox> make_l1(const Sparsity& sparsity) {
  return std::make_unique<Separable<L1>>(checked_beta(sparsity), sparsity);
}

}  // namespace scfe
