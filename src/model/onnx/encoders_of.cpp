#include "model/onnx/encoders_of.h"

#include <algorithm>

#include "model/onnx/layers_of.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

constexpr std::size_t most_encoder_weights = 1'000'000;  // limit for a layer of encoders

// Empty unless every row of the buffer depends on only one input.
std::vector<Column> columns_of(const Plan& plan, int buffer) {
  std::vector<Column> columns;
  const std::size_t rows = plan.buffers[static_cast<std::size_t>(buffer)].rows;
  if (rows * std::max(rows, plan.features) > most_encoder_weights) return {};
  for (std::size_t row = 0; row < rows; ++row) {
    std::optional<Column> column = trace(plan, buffer, row);
    if (!column) return {};
    columns.push_back(std::move(*column));
  }
  return columns;
}

}  // namespace

Encoders encoders_of(const Plan& plan) {
  int at = plan.scores;
  std::vector<Column> rows = columns_of(plan, at);
  while (rows.empty()) {
    const int made = plan.buffers[static_cast<std::size_t>(at)].step;
    if (made < 0 || plan.steps[static_cast<std::size_t>(made)].x.size() != 1) return {};
    at = plan.steps[static_cast<std::size_t>(made)].x[0];
    rows = columns_of(plan, at);
  }
  std::vector<Layer> layers = layers_from(plan, at);
  if (layers.empty()) return {};
  return {std::move(rows), std::move(layers)};
}

// Each stage becomes a layer, so that bounds account for the rounding of every stage. Codes are constants.
std::vector<Layer> Encoders::layers_at(std::span<const double> x, std::span<const char> moves) const {
  if (rows.empty()) return {};
  std::size_t depth = 1;
  for (const Column& row : rows) {
    if (row.monotone())
      depth = std::max(depth, row.stages.size());
    else if (moves[row.input] != 0)
      return {};
  }
  std::vector<Layer> all;
  for (std::size_t d = 0; d < depth; ++d) {
    Layer layer{Matrix(rows.size(), d == 0 ? x.size() : rows.size()), std::vector<double>(rows.size()),
                "none"};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].monotone()) {
        if (d + 1 == depth) layer.bias[i] = static_cast<double>(rows[i](static_cast<Real>(x[rows[i].input])));
        continue;
      }
      const bool affine = d < rows[i].stages.size() && rows[i].stages[d].kind == RowOrigin::Kind::affine;
      layer.weight[i][d == 0 ? rows[i].input : i] = affine ? static_cast<double>(rows[i].stages[d].scale) : 1;
      layer.bias[i] = affine ? static_cast<double>(rows[i].stages[d].shift) : 0;
    }
    all.push_back(std::move(layer));
  }
  all.insert(all.end(), layers.begin(), layers.end());
  return all;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
