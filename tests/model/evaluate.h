// Runs a model on rows of points, and a dense network as a plain loop in double (the reference).
#pragma once

#include <string>
#include <vector>

#include "model/network/activation.h"
#include "scfe/model.h"
#include "tests/kernel/activation_oracle.h"
#include "tests/kernel/random.h"

namespace scfe::test {

using Rows = std::vector<std::vector<double>>;

inline Block block_of(const Rows& rows, std::size_t capacity) {
  Block block(rows.at(0).size(), capacity);
  block.set_lanes(rows.size());
  for (std::size_t l = 0; l < rows.size(); ++l)
    for (std::size_t j = 0; j < rows[l].size(); ++j) block[j][l] = static_cast<float>(rows[l][j]);
  return block;
}

inline Rows rows_of(const Block& block) {
  Rows rows(block.lanes(), std::vector<double>(block.features()));
  for (std::size_t l = 0; l < rows.size(); ++l)
    for (std::size_t j = 0; j < block.features(); ++j) rows[l][j] = block[j][l];
  return rows;
}

struct Evaluated {
  Rows scores, gradient;
};

// `spare`: how many lanes more than needed the buffers have.
inline Evaluated evaluate(const Model& model, const Rows& x, const Rows& seed, std::size_t spare = 0) {
  const std::size_t capacity = x.size() + spare;
  const auto tape = model.tape(capacity);
  Block scores(model.scores(), capacity), gradient(model.features(), capacity);
  model.forward(block_of(x, capacity), scores, *tape);
  model.backward(block_of(seed, capacity), gradient, *tape);
  return {rows_of(scores), rows_of(gradient)};
}

inline Rows random_rows(Random& random, std::size_t rows, std::size_t columns, double size) {
  Rows all(rows, std::vector<double>(columns));
  for (auto& row : all)
    for (double& value : row) value = static_cast<float>(random.uniform(-size, size));
  return all;
}

inline Layer random_layer(Random& random, std::size_t out, std::size_t in, const std::string& activation) {
  Layer layer{Matrix(out, in), std::vector<double>(out), activation};
  const double size = 2 / std::sqrt(static_cast<double>(in));
  for (double& weight : layer.weight.values) weight = static_cast<float>(random.uniform(-size, size));
  for (double& bias : layer.bias) bias = static_cast<float>(random.uniform(-1, 1));
  return layer;
}

// Evaluates the layers as given: no final activation is skipped, no layers are merged.
inline std::vector<double> oracle_scores(const std::vector<Layer>& layers, std::vector<double> x) {
  for (const Layer& layer : layers) {
    const Activation activation = parse_activation(layer.activation, "test");
    std::vector<double> y(layer.weight.rows);
    for (std::size_t o = 0; o < y.size(); ++o) {
      y[o] = layer.bias[o];
      for (std::size_t i = 0; i < x.size(); ++i) y[o] += layer.weight[o][i] * x[i];
      y[o] = static_cast<double>(activation_oracle(activation.kind, activation.parameter, y[o]));
    }
    x = y;
  }
  return x;
}

}  // namespace scfe::test
