#include "model/onnx/column.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

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
