#include "plausibility/mixture/gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "scfe/error.h"

namespace scfe {
namespace {

[[noreturn]] void reject(std::size_t component, double got) {
  throw Error("covariance of component " + std::to_string(component), "a positive definite matrix",
              "pivot " + std::to_string(got));
}

// Replaces a covariance by its Cholesky factor (lower triangle; the upper one is set to 0).
void cholesky(std::span<double> a, std::size_t d, std::size_t component) {
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = j; i < d; ++i) {
      double sum = a[i * d + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * d + k] * a[j * d + k];
      if (i == j && !(sum > 0)) reject(component, sum);
      a[i * d + j] = i == j ? std::sqrt(sum) : sum / a[j * d + j];
    }
    for (std::size_t i = 0; i < j; ++i) a[i * d + j] = 0;
  }
}

// Replaces a lower triangular matrix by its inverse.
void invert_lower(std::span<double> a, std::size_t d) {
  for (std::size_t j = d; j-- > 0;) {
    const double inverse = 1 / a[j * d + j];
    a[j * d + j] = inverse;
    for (std::size_t i = d; i-- > j + 1;) {
      double sum = 0;
      for (std::size_t k = j + 1; k <= i; ++k) sum += a[i * d + k] * a[k * d + j];
      a[i * d + j] = -sum * inverse;
    }
  }
}

void check_shapes(const GaussianMixture& m) {
  const std::size_t k = m.components(), d = m.features();
  if (k == 0 || d == 0) throw Error("mixture", "at least one component and feature", "none");
  if (m.means.rows != k)
    throw Error("means", std::to_string(k) + " components", std::to_string(m.means.rows));
  if (m.covariances.cols != d || m.covariances.rows != (m.full ? k * d : k))
    throw Error("covariances", std::to_string(m.full ? k * d : k) + " x " + std::to_string(d),
                std::to_string(m.covariances.rows) + " x " + std::to_string(m.covariances.cols));
  for (const double weight : m.weights)
    if (!(weight > 0)) throw Error("weights", "numbers above 0", std::to_string(weight));
}

// sum_j (factor_j (x_j - mean_j))². Four independent sums: with a single one each addition would have to wait
// for the previous one.
double diagonal_square(std::span<const double> factor, std::span<const double> x,
                       std::span<const double> mean) {
  double sums[4] = {};
  std::size_t j = 0;
  for (; j + 4 <= x.size(); j += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double y = factor[j + lane] * (x[j + lane] - mean[j + lane]);
      sums[lane] += y * y;
    }
  for (; j < x.size(); ++j) {
    const double y = factor[j] * (x[j] - mean[j]);
    sums[0] += y * y;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

Whitened whiten(const GaussianMixture& mixture) {
  check_shapes(mixture);
  const std::size_t d = mixture.features(), size = mixture.size();
  Whitened whitened{mixture.covariances, {}};
  for (std::size_t k = 0; k < mixture.components(); ++k) {
    const std::span<double> factor{whitened.factors.values.data() + k * size, size};
    double log_weight =
        std::log(mixture.weights[k]) - 0.5 * static_cast<double>(d) * std::log(2 * std::numbers::pi);
    if (mixture.full) {
      cholesky(factor, d, k);
      invert_lower(factor, d);
    } else {
      for (double& a : factor) {
        if (!(a > 0)) reject(k, a);
        a = 1 / std::sqrt(a);
      }
    }
    for (std::size_t j = 0; j < d; ++j) log_weight += std::log(factor[mixture.full ? j * d + j : j]);
    whitened.log_weights.push_back(log_weight);
  }
  return whitened;
}

double log_density(const GaussianMixture& mixture, const Whitened& whitened, std::span<const double> x,
                   std::span<double> exponents) {
  const std::size_t d = mixture.features();
  for (std::size_t k = 0; k < mixture.components(); ++k) {
    const std::span<const double> mean = mixture.means[k], factor = mixture.part(whitened.factors, k);
    double sum = mixture.full ? 0 : diagonal_square(factor, x, mean);
    for (std::size_t i = 0; i < d && mixture.full; ++i) {
      double y = 0;
      for (std::size_t j = 0; j <= i; ++j) y += factor[i * d + j] * (x[j] - mean[j]);
      sum += y * y;
    }
    exponents[k] = whitened.log_weights[k] - 0.5 * sum;
  }
  const double peak = *std::ranges::max_element(exponents);
  double total = 0;
  for (const double e : exponents) total += std::exp(e - peak);
  return peak + std::log(total);
}

}  // namespace scfe
