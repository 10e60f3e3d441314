#include "method/pieces.h"

#include <algorithm>

namespace scfe {
namespace {

// The margins of a class as rows over the scores.
void to_margins(int target, Layer& scores) {
  auto& [weight, bias, activation] = scores;
  const auto y = static_cast<std::size_t>(target);
  if (weight.rows == 1) {
    if (target == 1) return;
    for (double& w : weight.values) w = -w;
    bias[0] = -bias[0];
    return;
  }
  Matrix rows(weight.rows - 1, weight.cols);
  std::vector<double> offsets;
  for (std::size_t i = 0; i < weight.rows; ++i) {
    if (i == y) continue;
    for (std::size_t j = 0; j < weight.cols; ++j) rows[offsets.size()][j] = weight[y][j] - weight[i][j];
    offsets.push_back(bias[y] - bias[i]);
  }
  weight = std::move(rows);
  bias = std::move(offsets);
}

std::vector<double> applied(const Layer& layer, std::span<const double> x) {
  std::vector<double> z = layer.bias;
  for (std::size_t i = 0; i < layer.weight.rows; ++i)
    for (std::size_t j = 0; j < layer.weight.cols; ++j) z[i] += layer.weight[i][j] * x[j];
  return z;
}

}  // namespace

bool is_relu_network(const Model& model) {
  const std::span<const Layer> layers = model.layers();
  if (layers.empty() || layers.back().activation != "none") return false;
  return std::ranges::all_of(layers.first(layers.size() - 1),
                             [](const Layer& layer) { return layer.activation == "relu"; });
}

Pieces::Pieces(const Model& model, const Space& space, int target)
    : layers(model.layers().begin(), model.layers().end()) {
  to_margins(target, layers.back());
  Layer& first = layers.front();
  for (std::size_t i = 0; i < first.weight.rows; ++i)
    for (std::size_t j = 0; j < first.weight.cols; ++j) {
      first.bias[i] += first.weight[i][j] * space.to_original(j, 0);
      first.weight[i][j] *= space.scale(j);
    }
}

std::size_t Pieces::hidden() const {
  std::size_t units = 0;
  for (std::size_t l = 0; l + 1 < layers.size(); ++l) units += layers[l].weight.rows;
  return units;
}

double Pieces::smallest_margin(std::span<const double> u) const {
  std::vector<double> z = applied(layers[0], u);
  for (std::size_t l = 1; l < layers.size(); ++l) {
    for (double& value : z) value = std::max(0.0, value);
    z = applied(layers[l], z);
  }
  return *std::min_element(z.begin(), z.end());
}

Pieces Pieces::restricted(std::span<const double> origin, std::span<const int> support) const {
  Pieces part = *this;
  const Matrix& whole = layers[0].weight;
  part.layers[0].bias = applied(layers[0], origin);
  part.layers[0].weight = Matrix(whole.rows, support.size());
  for (std::size_t i = 0; i < whole.rows; ++i)
    for (std::size_t k = 0; k < support.size(); ++k)
      part.layers[0].weight[i][k] = whole[i][static_cast<std::size_t>(support[k])];
  return part;
}

Pattern pattern_at(const Pieces& pieces, std::span<const double> u) {
  Pattern pattern;
  std::vector<double> z(u.begin(), u.end());
  for (std::size_t l = 0; l + 1 < pieces.layers.size(); ++l) {
    z = applied(pieces.layers[l], z);
    for (double& value : z) {
      pattern.push_back(value > 0);
      value = std::max(0.0, value);
    }
  }
  return pattern;
}

AffineMap where(const Pieces& pieces, const Pattern& pattern) {
  const std::size_t d = pieces.inputs();
  AffineMap linear{Matrix(pieces.hidden() + pieces.margins(), d), {}};
  Matrix before;  // the map of the layer below; rows of units that are off are 0
  std::vector<double> offset_before;
  std::size_t first = 0;
  for (std::size_t l = 0; l < pieces.layers.size(); ++l) {
    const Matrix& w = pieces.layers[l].weight;
    Matrix here(w.rows, d);
    std::vector<double> offset = pieces.layers[l].bias;
    for (std::size_t i = 0; i < w.rows; ++i)
      for (std::size_t k = 0; k < w.cols; ++k) {
        if (l == 0) {
          here[i][k] = w[i][k];
          continue;
        }
        offset[i] += w[i][k] * offset_before[k];
        for (std::size_t j = 0; j < d; ++j) here[i][j] += w[i][k] * before[k][j];
      }
    for (std::size_t i = 0; i < w.rows; ++i) {
      std::ranges::copy(here[i], linear.slope[first + i].begin());
      linear.offset.push_back(offset[i]);
      const bool off = l + 1 < pieces.layers.size() && pattern[first + i] == 0;
      if (!off) continue;
      std::ranges::fill(here[i], 0.0);
      offset[i] = 0;
    }
    first += w.rows;
    before = std::move(here);
    offset_before = std::move(offset);
  }
  return linear;
}

}  // namespace scfe
