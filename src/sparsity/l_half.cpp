// beta sum_j |w_j|^(1/2): between l0 and l1; large changes are hardly shrunk.
//
// With b = beta step, stationary points w > 0 for v > 0 solve  w - v + (b/2) w^(-1/2) = 0, a cubic in
// sqrt(w). The larger root (Xu et al. 2012, L1/2 regularization: a thresholding representation) is
//     w = (2/3) v (1 + cos(2 pi/3 - (2/3) arccos((b/4) (v/3)^(-3/2))))        if the arccos exists.
// The root is clamped to the box first and then compared with 0: thresholding before clamping would not give
// the prox of the sum.
#include <cmath>
#include <numbers>

#include "sparsity/operators.h"
#include "sparsity/separable.h"

namespace scfe {
namespace {

struct LHalf {
  static double minimiser(double v, double b, double lo, double hi) {
    const double far = stationary(v, b);
    return far == 0 ? 0 : zero_or_clamped(far, v, b, lo, hi, power);
  }
  static double stationary(double v, double b) {
    const double cosine = b / 4 * std::pow(std::fabs(v) / 3, -1.5);
    if (v == 0 || !(cosine <= 1)) return 0;  // the cost increases everywhere
    const double angle = 2.0 / 3 * (std::numbers::pi - std::acos(cosine));
    return 2.0 / 3 * v * (1 + std::cos(angle));
  }
  static double power(double magnitude) { return std::sqrt(magnitude); }
};

}  // namespace

std::unique_ptr<Prox> make_l_half(const Sparsity& sparsity) {
  return std::make_unique<Separable<LHalf>>(checked_beta(sparsity), sparsity);
}

}  // namespace scfe
