// Typical and unusual classes of rows, and evaluation of a block in one call.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "plausibility/catalogue.h"
#include "scfe/error.h"
#include "support/random.h"

namespace scfe::test {

inline double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// Two correlated clusters inside the unit box.
inline Matrix clusters(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed);
  Matrix table(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    const double common = normal(random), place = i % 3 == 0 ? 0.3 : 0.65;
    for (std::size_t j = 0; j < cols; ++j)
      table[i][j] = place + 0.06 * common + (0.04 + 0.01 * static_cast<double>(j % 4)) * normal(random);
  }
  return table;
}

struct Case {
  std::string name;
  Matrix rows;
  std::vector<int> group = {};
};

inline std::vector<Case> awkward_classes() {
  Matrix constant = clusters(30, 5, 1), copies = clusters(40, 5, 2), alike(6, 5), pair(2, 5);
  for (std::size_t i = 0; i < constant.rows; ++i) constant[i][2] = 0.4;
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 5; ++j) copies[i][j] = copies[i % 4][j];
  for (double& value : alike.values) value = 0.3;
  for (std::size_t j = 0; j < 5; ++j) pair[1][j] = 0.2;
  Matrix one(1, 5);
  for (double& value : one.values) value = 0.7;
  Matrix narrow(50, 1);
  for (std::size_t i = 0; i < 50; ++i) narrow[i][0] = 0.01 * static_cast<double>(i % 7);
  return {{"constant feature", constant},
          {"copies", copies},
          {"all alike", alike},
          {"two rows", pair},
          {"one row", one},
          {"one feature", narrow},
          {"ordinary", clusters(60, 5, 3)}};
}

struct Evaluated {
  std::vector<double> value;
  Matrix gradient, weights;  // lane x feature, lane x weight
};

// Evaluates every row of `points` in its own lane with its own anchor.
inline Evaluated evaluate(const Density& density, const Matrix& points, const Matrix& anchors) {
  const std::size_t lanes = points.rows, d = points.cols;
  Block x(d, lanes), to(d, lanes), gradient(d, lanes), weights(density.weights(), lanes);
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t l = 0; l < x.padded_lanes(); ++l) x[j][l] = NAN;
    for (std::size_t l = 0; l < lanes; ++l) x[j][l] = static_cast<float>(points[l][j]);
    for (std::size_t l = 0; l < lanes; ++l) to[j][l] = static_cast<float>(anchors[l][j]);
  }
  std::vector<float> value(padded(lanes)), scratch(density.scratch(lanes));
  density.evaluate(x, to, value.data(), &gradient, density.weights() > 0 ? &weights : nullptr,
                   scratch.data());
  Evaluated found{{value.begin(), value.begin() + static_cast<std::ptrdiff_t>(lanes)},
                  Matrix(lanes, d),
                  Matrix(lanes, density.weights())};
  for (std::size_t l = 0; l < lanes; ++l) {
    for (std::size_t j = 0; j < d; ++j) found.gradient[l][j] = gradient[j][l];
    for (std::size_t k = 0; k < density.weights(); ++k) found.weights[l][k] = weights[k][l];
  }
  return found;
}

// The anchor of each point, rounded to float.
inline Matrix anchors_of(const Density& density, const Matrix& points) {
  Matrix anchors(points.rows, points.cols);
  std::vector<float> factual(points.cols), anchor(points.cols);
  for (std::size_t i = 0; i < points.rows; ++i) {
    factual.assign(points[i].begin(), points[i].end());
    density.anchor(factual, anchor);
    std::copy(anchor.begin(), anchor.end(), anchors[i].begin());
  }
  return anchors;
}

// Points rounded to float, as lanes store them.
inline Matrix rounded(Matrix points) {
  for (double& value : points.values) value = static_cast<float>(value);
  return points;
}

inline Matrix spread_points(const Matrix& rows, std::size_t count, double reach, std::uint64_t seed) {
  Random random(seed);
  Matrix points(count, rows.cols);
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = rows[random.index(rows.rows)];
    for (std::size_t j = 0; j < rows.cols; ++j) points[i][j] = row[j] + reach * normal(random);
  }
  return rounded(points);
}

// The message of the Error that the fit throws.
inline std::string error_of(DensityKind kind, const Matrix& rows, const DensityOptions& options) {
  try {
    fit_density(kind, rows, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace scfe::test
