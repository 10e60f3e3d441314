#include "method/pieces.h"

#include <algorithm>
#include <limits>

namespace scfe {
namespace {

// Replaces the scores by the margins of a class.
void to_margins(int target, Matrix& weight, std::vector<double>& bias) {
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

std::vector<double> applied(const Matrix& weight, const std::vector<double>& bias,
                            std::span<const double> x) {
  std::vector<double> z = bias;
  for (std::size_t i = 0; i < weight.rows; ++i)
    for (std::size_t j = 0; j < weight.cols; ++j) z[i] += weight[i][j] * x[j];
  return z;
}

}  // namespace

bool is_relu_network(const Model& model) {
  const std::span<const Layer> layers = model.layers();
  if (layers.empty() || layers.back().activation != "none") return false;
  return std::ranges::all_of(layers.first(layers.size() - 1),
                             [](const Layer& layer) { return layer.activation == "relu"; });
}

Pieces::Pieces(const Model& model, const Space& space, int target) {
  for (const Layer& layer : model.layers()) {
    weight.push_back(layer.weight);
    bias.push_back(layer.bias);
  }
  to_margins(target, weight.back(), bias.back());
  for (std::size_t i = 0; i < weight[0].rows; ++i)
    for (std::size_t j = 0; j < weight[0].cols; ++j) {
      bias[0][i] += weight[0][i][j] * space.to_original(j, 0);
      weight[0][i][j] *= space.range(j);
    }
}

std::size_t Pieces::hidden() const {
  std::size_t units = 0;
  for (std::size_t l = 0; l + 1 < weight.size(); ++l) units += weight[l].rows;
  return units;
}

double Pieces::smallest_margin(std::span<const double> u) const {
  std::vector<double> z = applied(weight[0], bias[0], u);
  for (std::size_t l = 1; l < weight.size(); ++l) {
    for (double& value : z) value = std::max(0.0, value);
    z = applied(weight[l], bias[l], z);
  }
  return *std::min_element(z.begin(), z.end());
}

Pieces Pieces::restricted(std::span<const double> origin, std::span<const int> support) const {
  Pieces part = *this;
  part.bias[0] = applied(weight[0], bias[0], origin);
  part.weight[0] = Matrix(weight[0].rows, support.size());
  for (std::size_t i = 0; i < weight[0].rows; ++i)
    for (std::size_t k = 0; k < support.size(); ++k)
      part.weight[0][i][k] = weight[0][i][static_cast<std::size_t>(support[k])];
  return part;
}

Pattern pattern_at(const Pieces& pieces, std::span<const double> u) {
  Pattern pattern;
  std::vector<double> z(u.begin(), u.end());
  for (std::size_t l = 0; l + 1 < pieces.weight.size(); ++l) {
    z = applied(pieces.weight[l], pieces.bias[l], z);
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
  for (std::size_t l = 0; l < pieces.weight.size(); ++l) {
    const Matrix& w = pieces.weight[l];
    Matrix here(w.rows, d);
    std::vector<double> offset = pieces.bias[l];
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
      const bool off = l + 1 < pieces.weight.size() && pattern[first + i] == 0;
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
