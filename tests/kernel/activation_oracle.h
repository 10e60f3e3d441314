// The catalogue's activations as plain formulas in long double, and their slopes by central differences.
#pragma once

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernel/activation.h"

namespace scfe::test {

using Real = long double;

inline Real activation_oracle(kernel::ActivationKind kind, Real p, Real x) {
  using namespace kernel;
  const Real half = 0.5L, zero = 0, one = 1;
  switch (kind) {
    case activation_none:
      return x;
    case activation_relu:
      return std::fmax(x, zero);
    case activation_relu6:
      return std::fmin(std::fmax(x, zero), p);
    case activation_leaky_relu:
      return x > 0 ? x : p * x;
    case activation_elu:
      return x > 0 ? x : p * std::expm1(x);
    case activation_selu:
      return 1.0507009873554804934L * (x > 0 ? x : 1.6732632423543772848L * std::expm1(x));
    case activation_celu:
      return x > 0 ? x : p * std::expm1(x / p);
    case activation_sigmoid:
      return 1 / (1 + std::exp(-x));
    case activation_hard_sigmoid:
      return std::fmin(std::fmax(p * x + half, zero), one);
    case activation_hard_swish:
      return x * std::fmin(std::fmax(x / 6 + half, zero), one);
    case activation_silu:
      return x / (1 + std::exp(-p * x));
    case activation_tanh:
      return std::tanh(x);
    case activation_softplus:
      return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
    case activation_softsign:
      return x / (1 + std::fabs(x));
    case activation_gelu:
      return half * x * std::erfc(-x * std::numbers::sqrt2_v<Real> / 2);
    case activation_gelu_tanh: {
      const Real u = std::sqrt(2 / std::numbers::pi_v<Real>) * (x + 0.044715L * x * x * x);
      return x / (1 + std::exp(-2 * u));
    }
    case activation_mish:
      return x * std::tanh(std::log1p(std::exp(x)));
    case activation_erf:
      return std::erf(x);
    case activation_count:
      break;
  }
  throw std::logic_error("no oracle for this activation");
}

inline Real slope_oracle(kernel::ActivationKind kind, Real p, Real x) {
  const Real h = 1e-6L;
  return (activation_oracle(kind, p, x + h) - activation_oracle(kind, p, x - h)) / (2 * h);
}

// True near points where the slope jumps: a difference quotient is wrong there.
inline bool near_kink(kernel::ActivationKind kind, Real p, Real x) {
  using namespace kernel;
  const auto near = [&](Real kink) { return std::fabs(x - kink) < 1e-5L; };
  switch (kind) {
    case activation_relu6:
      return near(0) || near(p);
    case activation_hard_sigmoid:
      return near(0.5L / p) || near(-0.5L / p);
    case activation_hard_swish:
      return near(3) || near(-3);
    default:
      return near(0);
  }
}

}  // namespace scfe::test
