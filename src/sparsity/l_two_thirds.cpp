// beta sum_j |w_j|^(2/3): like l_half, but closer to l1.
//
// With c = 2 beta step, stationary points w > 0 for v > 0 solve  y⁴ - v y + c/3 = 0,  y = w^(1/3). The
// quartic splits into two quadratics (Cao, Sun, Xu 2013, Fast image deconvolution using closed-form
// thresholding formulas of L_q (q = 1/2, 2/3) regularization); the larger root is
//     y = (A + sqrt(2 v / A - A²)) / 2,   A = (2 / sqrt 3) c^(1/4) cosh(phi / 3)^(1/2),
//     phi = arccosh((27/16) v² c^(-3/2))                                      if the arccosh exists.
// The root is clamped to the box first and then compared with 0.
#include <cmath>

#include "sparsity/operators.h"
#include "sparsity/separable.h"

namespace scfe {
namespace {

struct LTwoThirds {
  static double minimiser(double v, double b, double lo, double hi) {
    const double far = stationary(v, b);
    return far == 0 ? 0 : zero_or_clamped(far, v, b, lo, hi, power);
  }
  static double stationary(double v, double b) {
    const double c = 2 * b, ratio = 27.0 / 16 * v * v / (c * std::sqrt(c));
    if (v == 0 || !(ratio >= 1)) return 0;  // the cost increases everywhere
    if (!std::isfinite(ratio)) return v;
    const double square = 4.0 / 3 * std::sqrt(c) * std::cosh(std::acosh(ratio) / 3);  // A²
    const double a = std::sqrt(square);
    const double y = (a + std::sqrt(2 * std::fabs(v) / a - square)) / 2;
    return std::copysign(y * y * y, v);
  }
  static double power(double magnitude) { return std::pow(magnitude, 2.0 / 3); }
};

}  // namespace

std::unique_ptr<Prox> make_l_two_thirds(const Sparsity& sparsity) {
  return std::make_unique<Separable<LTwoThirds>>(checked_beta(sparsity), sparsity);
}

}  // namespace scfe
