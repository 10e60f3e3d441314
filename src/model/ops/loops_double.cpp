// Plain loops in double. model/network/activation.cpp lists the formulas of the activations; here they are
// written so that they stay accurate for large |x|.
#include <algorithm>
#include <array>
#include <cmath>

#include "model/ops/loops.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Computes lanes [first, first + count) of every output, with the sums in registers.
template <std::size_t count>
void multiply_lanes(const Linear& map, Const x, Mutable y, std::size_t first) {
  for (std::size_t o = 0; o < map.out; ++o) {
    std::array<double, count> sum;
    sum.fill(map.bias ? map.bias[o] : 0.0);
    const double* weight = map.weight + o * map.in;
    for (std::size_t i = 0; i < map.in; ++i) {
      const std::int64_t from = map.rows ? map.rows[i] : static_cast<std::int64_t>(i);
      if (from < 0) continue;
      const double* source = row(x, static_cast<std::size_t>(from)) + first;
      for (std::size_t l = 0; l < count; ++l) sum[l] += weight[i] * source[l];
    }
    if (map.gate.data)
      for (std::size_t l = 0; l < count; ++l) sum[l] = row(map.gate, o)[first + l] > 0 ? sum[l] : 0.0;
    std::copy_n(sum.data(), count, row(y, o) + first);
  }
}

double sigmoid(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }
double bell(double x) {
  const double e = std::exp(-std::abs(x));
  return e / ((1 + e) * (1 + e));
}
double normal(double x) { return std::erfc(-x * std::sqrt(0.5)) / 2; }
constexpr double pi = 3.14159265358979323846, selu_alpha = 1.67326319217681884765625F,
                 selu_gamma = 1.05070102214813232421875F;
double gelu_line(double x) { return 2 * std::sqrt(2 / pi) * (x + 0.044715 * x * x * x); }
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

struct Formula {
  double (*value)(double x, double p);
  double (*slope)(double x, double p);
};
using D = double;

// In the order of kernel/activation.h.
constexpr Formula formulas[] = {
    {[](D x, D) { return x; }, [](D, D) { return 1.0; }},
    {[](D x, D) { return x < 0 ? 0 : x; }, [](D x, D) { return x > 0 ? 1.0 : 0.0; }},
    {[](D x, D p) { return x < 0 ? 0 : std::min(x, p); },
     [](D x, D p) { return x > 0 && x < p ? 1.0 : 0.0; }},
    {[](D x, D p) { return x > 0 ? x : p * x; }, [](D x, D p) { return x > 0 ? 1 : p; }},
    {[](D x, D p) { return x > 0 ? x : p * std::expm1(x); },
     [](D x, D p) { return x > 0 ? 1 : p * std::exp(x); }},
    {[](D x, D) { return selu_gamma * (x > 0 ? x : selu_alpha * std::expm1(x)); },
     [](D x, D) { return selu_gamma * (x > 0 ? 1 : selu_alpha * std::exp(x)); }},
    {[](D x, D p) { return x > 0 ? x : p * std::expm1(x / p); },
     [](D x, D p) { return x > 0 ? 1 : std::exp(x / p); }},
    {[](D x, D) { return sigmoid(x); }, [](D x, D) { return bell(x); }},
    {[](D x, D p) { return std::clamp(p * x + 0.5, 0.0, 1.0); },
     [](D x, D p) { return p * x + 0.5 > 0 && p * x + 0.5 < 1 ? p : 0; }},
    {[](D x, D) { return x * std::clamp(x / 6 + 0.5, 0.0, 1.0); },
     [](D x, D) { return x <= -3 ? 0
                         : x < 3 ? x / 3 + 0.5
                                 : 1; }},
    {[](D x, D p) { return x * sigmoid(p * x); },
     [](D x, D p) { return sigmoid(p * x) + p * x * bell(p * x); }},
    {[](D x, D) { return std::tanh(x); }, [](D x, D) { return 4 * bell(2 * x); }},
    {[](D x, D) { return softplus(x); }, [](D x, D) { return sigmoid(x); }},
    {[](D x, D) { return x / (1 + std::abs(x)); },
     [](D x, D) { return 1 / ((1 + std::abs(x)) * (1 + std::abs(x))); }},
    {[](D x, D) { return x * normal(x); },
     [](D x, D) { return normal(x) + x * std::exp(-x * x / 2) / std::sqrt(2 * pi); }},
    {[](D x, D) { return x * sigmoid(gelu_line(x)); },
     [](D x, D) {
       const D line = 2 * std::sqrt(2 / pi) * (1 + 3 * 0.044715 * x * x);
       return sigmoid(gelu_line(x)) + x * bell(gelu_line(x)) * line;
     }},
    {[](D x, D) { return x * std::tanh(softplus(x)); },
     [](D x, D) { return std::tanh(softplus(x)) + x * 4 * bell(2 * softplus(x)) * sigmoid(x); }},
    {[](D x, D) { return std::erf(x); }, [](D x, D) { return 2 / std::sqrt(pi) * std::exp(-x * x); }},
};
static_assert(std::size(formulas) == kernel::activation_count);

}  // namespace

void multiply(const Linear& map, Const x, Mutable y, std::size_t lanes) {
  std::size_t lane = 0;
  for (; lane + 8 <= lanes; lane += 8) multiply_lanes<8>(map, x, y, lane);
  for (; lane < lanes; ++lane) multiply_lanes<1>(map, x, y, lane);
  if (!map.epilogue.given()) return;
  for (std::size_t o = 0; o < map.out; ++o) apply(map.epilogue, row(y, o), row(y, o), lanes);
}

void apply(Epilogue f, const double* x, double* y, std::size_t count) {
  const Formula& formula = formulas[f.kind];
  for (std::size_t i = 0; i < count; ++i) y[i] = formula.value(x[i], f.parameter);
}

void apply_slope(Epilogue f, const double* x, const double* dy, double* dx, std::size_t count) {
  const Formula& formula = formulas[f.kind];
  for (std::size_t i = 0; i < count; ++i) dx[i] = dy[i] * formula.slope(x[i], f.parameter);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
