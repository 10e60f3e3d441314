// Naive densities in double precision, written directly from the formulas: explicit inverse and determinant,
// plain sums of exponentials, sorted neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "plausibility/mixture/gaussian.h"
#include "plausibility/mixture/products.h"
#include "plausibility/mixture/smoothing.h"

namespace scfe::test {

// log q of x in the work space, given the anchor of its factual.
using Oracle = std::function<double(std::span<const double> x, std::span<const double> anchor)>;

// Inverse by Gauss-Jordan with pivoting, and the determinant.
inline std::pair<Matrix, double> invert(Matrix a) {
  const std::size_t d = a.rows;
  Matrix inverse(d, d);
  for (std::size_t i = 0; i < d; ++i) inverse[i][i] = 1;
  double determinant = 1;
  for (std::size_t c = 0; c < d; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c; i < d; ++i)
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    if (pivot != c) determinant = -determinant;
    std::swap_ranges(a[c].begin(), a[c].end(), a[pivot].begin());
    std::swap_ranges(inverse[c].begin(), inverse[c].end(), inverse[pivot].begin());
    const double by = a[c][c];
    determinant *= by;
    for (std::size_t j = 0; j < d; ++j) a[c][j] /= by, inverse[c][j] /= by;
    for (std::size_t i = 0; i < d; ++i) {
      const double factor = a[i][c];
      if (i == c) continue;
      for (std::size_t j = 0; j < d; ++j)
        a[i][j] -= factor * a[c][j], inverse[i][j] -= factor * inverse[c][j];
    }
  }
  return {inverse, determinant};
}

inline Oracle kde_oracle(const Matrix& rows, double h, std::vector<double> scale, double dimensions) {
  if (scale.empty()) scale.assign(rows.cols, 1.0);
  return [=](std::span<const double> x, std::span<const double>) {
    long double sum = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      long double squared = 0;
      for (std::size_t j = 0; j < x.size(); ++j) squared += std::pow(scale[j] * (x[j] - rows[i][j]) / h, 2);
      sum += std::exp(-squared / 2);
    }
    const double norm =
        static_cast<double>(rows.rows) * std::pow(h * std::sqrt(2 * std::numbers::pi), dimensions);
    return static_cast<double>(std::log(sum)) - std::log(norm);
  };
}

// Gaussian times Aitchison-Aitken kernel. Between levels, the exponent is proportional to the squared
// difference of the indicators, which is 2 for a full change of level.
inline Oracle mixed_kde_oracle(const Matrix& rows, const Columns& columns, const std::vector<double>& scale,
                               Smoothing by) {
  return [=](std::span<const double> x, std::span<const double>) {
    long double sum = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      long double product = 1;
      for (const int j : columns.numeric) {
        const double z = scale[j] * (x[j] - rows[i][j]) / by.bandwidth;
        product *= std::exp(-z * z / 2) / (by.bandwidth * std::sqrt(2 * std::numbers::pi));
      }
      for (const std::vector<int>& group : columns.groups) {
        const auto others = static_cast<double>(group.size() - 1);
        const double lambda = others * by.other_level / (1 + others * by.other_level);
        double squared = 0;
        for (const int c : group) squared += (x[c] - rows[i][c]) * (x[c] - rows[i][c]);
        product *= (1 - lambda) * std::pow(lambda / others / (1 - lambda), squared / 2);
      }
      sum += product;
    }
    return static_cast<double>(std::log(sum / static_cast<long double>(rows.rows)));
  };
}

inline Oracle gmm_oracle(const GaussianMixture& mixture, std::vector<double> scale) {
  const std::size_t d = mixture.features();
  if (scale.empty()) scale.assign(d, 1.0);
  std::vector<Matrix> inverses;
  std::vector<double> heights;
  for (std::size_t k = 0; k < mixture.components(); ++k) {
    Matrix covariance(d, d);
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        covariance[i][j] = mixture.full ? mixture.covariances[k * d + i][j]
                           : i == j     ? mixture.covariances[k][i]
                                        : 0;
    const auto [inverse, determinant] = invert(covariance);
    inverses.push_back(inverse);
    heights.push_back(mixture.weights[k] /
                      std::sqrt(std::pow(2 * std::numbers::pi, static_cast<double>(d)) * determinant));
  }
  return [=](std::span<const double> x, std::span<const double>) {
    long double sum = 0;
    for (std::size_t k = 0; k < heights.size(); ++k) {
      long double quadratic = 0;
      for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j)
          quadratic += (scale[i] * x[i] - mixture.means[k][i]) * inverses[k][i][j] *
                       (scale[j] * x[j] - mixture.means[k][j]);
      sum += heights[k] * std::exp(-quadratic / 2);
    }
    return static_cast<double>(std::log(sum));
  };
}

inline Oracle products_oracle(const Products& products, std::vector<double> scale) {
  if (scale.empty()) scale.assign(products.columns(), 1.0);
  return [=](std::span<const double> x, std::span<const double>) {
    long double sum = 0;
    for (std::size_t k = 0; k < products.components(); ++k) {
      long double product = products.weights[k];
      for (std::size_t j = 0; j < x.size(); ++j) {
        const double variance = products.variances[k][j];
        if (!products.group.empty() && products.group[j] >= 0)
          product *= std::exp(static_cast<long double>(x[j] * products.log_levels[k][j]));
        else
          product *= std::exp(-std::pow(scale[j] * x[j] - products.means[k][j], 2.0L) / (2 * variance)) /
                     std::sqrt(2 * std::numbers::pi * variance);
      }
      sum += product;
    }
    return static_cast<double>(std::log(sum));
  };
}

inline Oracle knn_oracle(std::size_t features, bool plain, std::vector<double> scale) {
  if (scale.empty()) scale.assign(features, 1.0);
  return [=](std::span<const double> x, std::span<const double> anchor) {
    double squared = 0;
    for (std::size_t j = 0; j < features; ++j) squared += std::pow(scale[j] * (x[j] - anchor[j]), 2);
    return plain ? -std::sqrt(squared + 1e-8) + 1e-4 : -squared;
  };
}

// The gravity point, by sorting all distances.
inline std::vector<double> naive_gravity(const Matrix& rows, std::span<const double> x, std::size_t k,
                                         bool itself) {
  const auto sorted = [&](std::span<const double> from) {
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      double squared = 0;
      for (std::size_t j = 0; j < rows.cols; ++j) squared += std::pow(from[j] - rows[i][j], 2);
      found.emplace_back(std::sqrt(squared), i);
    }
    std::ranges::sort(found);
    return found;
  };
  std::vector<double> point(rows.cols);
  double total = 0;
  const auto near = sorted(x);
  for (std::size_t n = 0; n < k; ++n) {
    const auto around = sorted(rows[near[n].second]);
    double sum = 0;
    for (std::size_t m = 0; m < k; ++m) sum += around[itself ? m : m + 1].first;
    total += static_cast<double>(k) / sum;
    for (std::size_t j = 0; j < rows.cols; ++j)
      point[j] += static_cast<double>(k) / sum * rows[near[n].second][j];
  }
  for (double& p : point) p /= total;
  return point;
}

}  // namespace scfe::test
