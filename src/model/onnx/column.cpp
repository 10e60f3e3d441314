#include "model/onnx/column.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

// By how much a constant of the file may miss the library's, as a share of it. A constant that needs a double
// was not rounded to single precision; neither were 0 and 1.
double lost_digits(Real constant) {
  const bool is_single = static_cast<Real>(static_cast<float>(constant)) == constant;
  return is_single && constant != 0 && std::abs(constant) != 1 ? 0x1p-24 : 0x1p-53;
}

}  // namespace

Column::Range Column::in_library(double x) const {
  constexpr double rounding = 0x1p-52;  // of a product and a sum in double
  Range range{x, x};
  for (const Stage& stage : stages) {
    if (stage.kind == RowOrigin::Kind::filled) continue;
    const bool mapped = stage.kind == RowOrigin::Kind::mapped;
    const auto scale = static_cast<double>(stage.scale), shift = static_cast<double>(stage.shift);
    const double size = std::abs(scale) * std::max(std::abs(range.least), std::abs(range.most));
    const double digits = mapped ? lost_digits(stage.value) : lost_digits(stage.scale);
    double lost = (digits + rounding) * size +
                  ((mapped ? digits : lost_digits(stage.shift)) + rounding) * std::abs(shift);
    lost += 0x1p-24 * (size + std::abs(shift));  // a library that was given floats rounds at every step
    const bool linear = !mapped || scale != 1 || shift != 0;
    if (!linear) lost = 0;  // to a whole number, which is exact
    const auto value = [&](double v) {
      return linear ? scale * v + shift : static_cast<double>(stage(static_cast<Real>(v)));
    };
    const auto [least, most] = std::minmax({value(range.least), value(range.most)});
    range = {least - lost, most + lost};
  }
  return range;
}

std::optional<Column> trace(const Plan& plan, int buffer, std::size_t row) {
  Column column;
  while (buffer != 0) {
    const int made = plan.buffers[static_cast<std::size_t>(buffer)].step;
    if (made < 0) return std::nullopt;
    const Step& step = plan.steps[static_cast<std::size_t>(made)];
    const std::optional<RowOrigin> origin = step.op->origin(row);
    if (!origin) return std::nullopt;
    Column::Stage stage{origin->kind, origin->rounds, origin->scale, origin->shift, origin->fill};
    if (origin->kind == RowOrigin::Kind::equal) {
      const auto key = static_cast<std::size_t>(step.x[origin->key_operand]);
      if (!plan.buffers[key].constant) return std::nullopt;
      stage.value = static_cast<Real>(plan.buffers[key].constant->real(origin->key_row));
    }
    if (origin->kind != RowOrigin::Kind::affine || stage.rounds || stage.scale != 1 || stage.shift != 0)
      column.stages.insert(column.stages.begin(), stage);
    buffer = step.x[origin->operand];
    row = origin->row;
  }
  column.input = static_cast<std::uint32_t>(row);
  return column;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
