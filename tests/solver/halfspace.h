// A problem with a known optimum: a linear score over the unit box, without a density or pulled to a point.
#pragma once

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "objective/objective.h"
#include "solver/apg/apg.h"
#include "tests/helper/parts.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe::test {

constexpr std::size_t d = 5;

struct World {
  explicit World(std::size_t lanes, double tau = 0, bool watch = false)
      : model(matrix(1, d, slope), Matrix(1, d), {-4}),
        space(no_scaling(d)),
        validity(1, {.target = 1, .margin = 1e-3, .probability = {}}),
        density(matrix(1, d, {0.9, 0.1, 0.9, 0.1, 0.9})),
        parts(model, space, validity, density),
        terms(parts.query, lanes),
        objective(terms, weights(tau, watch)),
        box{Block(d, lanes), Block(d, lanes)} {
    objective.set_lanes(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) place(lane, lane);
  }

  static Weights weights(double tau, bool watch) {
    Weights weights;
    weights.tau = tau;
    weights.watch_density = watch;
    return weights;
  }

  static std::vector<float> factual(std::size_t row) {
    Uniform uniform(100 + row);
    std::vector<float> x;
    for (std::size_t j = 0; j < d; ++j) x.push_back(static_cast<float>(uniform(0, 0.5)));
    return x;
  }
  void place(std::size_t lane, std::size_t row) {
    const auto x = factual(row);
    objective.set_factual(lane, x);
    for (std::size_t j = 0; j < d; ++j) {
      box.lo[j][lane] = -x[j];
      box.hi[j][lane] = 1 - x[j];
    }
  }
  double score(const std::vector<float>& x) const {
    return std::inner_product(x.begin(), x.end(), slope.begin(), -4.0);
  }
  ApgProblem problem(const Prox& prox, std::span<const FloorOrder> orders = {}) {
    return {objective, prox, box, orders};
  }

  std::vector<double> slope{1, -2, 3, 4, 0.5};
  QuadraticModel model;
  Space space;
  Validity validity;
  GravityDensity density;
  Parts parts;
  Terms terms;
  Objective objective;
  Box box;
};

inline std::vector<float> answer(const Apg& apg, std::size_t lane) {
  std::vector<float> w;
  for (std::size_t j = 0; j < d; ++j) w.push_back(apg.best().w()[j][lane]);
  return w;
}

}  // namespace scfe::test
