// Small synthetic problems: random rows, labelled by a random network or a linear model.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "actionability/space.h"
#include "scfe/explainer.h"
#include "tests/helper/uniform.h"

namespace scfe::test {

inline double normal(Uniform& random) {
  return std::sqrt(-2 * std::log(random(1e-12, 1))) * std::cos(2 * M_PI * random.unit());
}

// Work space and data are the same.
inline Space unit_space(std::size_t columns) {
  return Space(Scaling{std::vector<double>(columns, 0.0), std::vector<double>(columns, 1.0)});
}

inline Matrix random_matrix(std::size_t rows, std::size_t cols, Uniform& random) {
  Matrix matrix(rows, cols);
  for (double& value : matrix.values) value = normal(random) / std::sqrt(static_cast<double>(cols));
  return matrix;
}

// A dense network with random weights, `scores` logits.
inline std::shared_ptr<const Model> random_network(std::size_t features, std::size_t scores,
                                                   std::uint64_t seed,
                                                   const std::string& activation = "relu") {
  Uniform random(seed);
  std::vector<Layer> layers;
  layers.push_back({random_matrix(16, features, random), std::vector<double>(16, 0.1), activation});
  layers.push_back({random_matrix(scores, 16, random), std::vector<double>(scores, 0.0), "none"});
  for (double& weight : layers[1].weight.values) weight *= 3;
  return dense_network(std::move(layers));
}

// A model with the one score w·x + b.
inline std::shared_ptr<const Model> linear_model(const std::vector<double>& w, double b) {
  Matrix weight(1, w.size());
  weight.values = w;
  return dense_network({{weight, {b}, "none"}});
}

// The class that the model gives each row.
inline std::vector<int> labels_of(const Model& model, const Matrix& rows) {
  std::vector<int> labels;
  const auto tape = model.tape(1);
  Block x(model.features(), 1), scores(model.scores(), 1);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < model.features(); ++j) x[j][0] = static_cast<float>(rows[i][j]);
    model.forward(x, scores, *tape);
    int best = model.scores() == 1 ? scores[0][0] > 0 : 0;
    for (std::size_t k = 1; k < model.scores(); ++k)
      if (scores[k][0] > scores[static_cast<std::size_t>(best)][0]) best = static_cast<int>(k);
    labels.push_back(best);
  }
  return labels;
}

// Rows drawn from a normal cloud and labelled by the model itself.
inline Training labelled_by(const Model& model, std::size_t rows, std::uint64_t seed) {
  Uniform random(seed);
  Training training;
  training.rows = Matrix(rows, model.features());
  for (double& value : training.rows.values) value = normal(random);
  training.labels = labels_of(model, training.rows);
  return training;
}

inline Matrix first_rows(const Matrix& rows, std::size_t count) {
  Matrix some(count, rows.cols);
  std::copy_n(rows.values.begin(), some.values.size(), some.values.begin());
  return some;
}

}  // namespace scfe::test
