#include "model/onnx/additive_of.h"

#include <algorithm>

#include "model/onnx/layers_of.h"
#include "model/onnx/pieces.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

constexpr std::size_t most_additive_rows = 20000;

bool is_line(const RowFunction& row) {
  return row.pieces.size() == 1 && std::ranges::all_of(row.pieces[0].stages, [](const Column::Stage& stage) {
           return stage.kind != RowOrigin::Kind::mapped || stage.scale != 1 || stage.shift != 0;
         });
}

struct Line {
  double scale = 1, shift = 0;
};
Line line_of(const Piece& piece) {
  if (piece.constant) return {0, static_cast<double>(piece.value)};
  Line line;
  for (const Column::Stage& stage : piece.stages) {
    line.scale *= static_cast<double>(stage.scale);
    line.shift = line.shift * static_cast<double>(stage.scale) + static_cast<double>(stage.shift);
  }
  return line;
}

class EncodedSum : public Additive {
 public:
  EncodedSum(const std::vector<RowFunction>& rows, const Layer& layer, std::size_t inputs) : terms_(inputs) {
    constant_size_ = std::abs(layer.bias[0]);
    std::size_t stages = 0;
    bool single = !is_double;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const Piece& piece : rows[i].pieces) {
        stages = std::max(stages, piece.stages.size());
        for (const Column::Stage& stage : piece.stages) single = single || stage.rounds;
      }
      const double weight = layer.weight[0][i];
      if (rows[i].input)
        terms_[*rows[i].input].push_back({rows[i], weight});
      else
        constant_size_ += std::abs(weight * static_cast<double>(rows[i].absent));
    }
    roundings_ = (static_cast<double>(rows.size()) + 2 * static_cast<double>(stages) + 2) *
                 (single ? 0x1p-24 : 0x1p-53);
  }

  double term(std::size_t input, double x) const override {
    double sum = 0;
    for (const auto& [row, weight] : terms_[input]) sum += weight * value(row, x);
    return sum;
  }
  std::optional<double> slope(std::size_t input) const override {
    double sum = 0;
    for (const auto& [row, weight] : terms_[input]) {
      if (!is_line(row)) return std::nullopt;
      sum += weight * line_of(row.pieces[0]).scale;
    }
    return sum;
  }
  double size(std::size_t input, double x) const override {
    double sum = 0;
    for (const auto& [row, weight] : terms_[input]) {
      double size = std::abs(x);
      const Piece& piece = row.at(static_cast<Real>(x));
      for (const Column::Stage& stage : piece.stages)
        size = std::abs(static_cast<double>(stage.scale)) * size + std::abs(static_cast<double>(stage.shift));
      sum += std::abs(weight) * (piece.constant || std::isnan(x) ? std::abs(value(row, x)) : size);
    }
    return sum;
  }
  double constant_size() const override { return constant_size_; }
  double roundings() const override { return roundings_; }

 private:
  struct Term {
    RowFunction row;
    double weight;
  };
  // A line in double: the rounding of its stages is part of roundings().
  static double value(const RowFunction& row, double x) {
    if (std::isnan(x)) return static_cast<double>(row.absent);
    if (!is_line(row)) return static_cast<double>(row.at(static_cast<Real>(x))(static_cast<Real>(x)));
    const Line line = line_of(row.pieces[0]);
    return line.scale * x + line.shift;
  }

  std::vector<std::vector<Term>> terms_;  // of each input
  double constant_size_, roundings_;
};

// Lines of all inputs as one layer; empty if a row has another form or fills in missing values.
std::vector<Layer> one_layer(const std::vector<RowFunction>& rows, const Layer& layer, std::size_t inputs) {
  Layer all{Matrix(layer.weight.rows, inputs), layer.bias, "none"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Piece& piece = rows[i].pieces[0];
    const bool fills = std::ranges::count(piece.stages, RowOrigin::Kind::filled, &Column::Stage::kind) > 0;
    if (!is_line(rows[i]) || fills || (piece.constant && rows[i].input)) return {};
    const Line line = line_of(piece);
    for (std::size_t k = 0; k < layer.weight.rows; ++k) {
      if (rows[i].input) all.weight[k][*rows[i].input] += layer.weight[k][i] * line.scale;
      all.bias[k] += layer.weight[k][i] * line.shift;
    }
  }
  return {std::move(all)};
}

}  // namespace

Sums sums_of(const Plan& plan) {
  if (plan.features > most_additive_rows) return {};
  for (int at = plan.scores;;) {
    const int made = plan.buffers[id(at)].step;
    if (made < 0 || plan.steps[id(made)].x.size() != 1) return {};
    at = plan.steps[id(made)].x[0];
    const std::vector<Layer> layers = layers_from(plan, at);
    if (layers.size() != 1 || layers[0].activation != "none") return {};
    if (plan.buffers[id(at)].rows > most_additive_rows) return {};
    const std::vector<RowFunction> rows = row_functions(plan, at);
    if (rows.empty() || !std::ranges::all_of(rows, &std::string::empty, &RowFunction::obstacle)) continue;
    Sums sums;
    sums.linear = one_layer(rows, layers[0], plan.features);
    if (layers[0].weight.rows == 1)
      sums.additive = std::make_shared<EncodedSum>(rows, layers[0], plan.features);
    return sums;
  }
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
