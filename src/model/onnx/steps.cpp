#include "model/onnx/steps.h"

#include <algorithm>

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

std::size_t id(int buffer) { return static_cast<std::size_t>(buffer); }

// Rows of each buffer that arithmetic has rounded; inputs, constants, copies and truths are exact.
using Rounded = std::vector<std::vector<bool>>;

bool rounds(const Step& step, std::size_t row, const Rounded& rounded) {
  const std::optional<RowOrigin> origin = step.op->origin(row);
  if (!origin) return step.op->forest() != nullptr || step.op->differentiable();
  const bool copies = origin->kind != RowOrigin::Kind::affine || (origin->scale == 1 && origin->shift == 0);
  return !copies || rounded[id(step.x[origin->operand])][origin->row];
}

}  // namespace

bool has_steps(const Plan& plan) {
  if (std::ranges::none_of(plan.steps, [](const Step& step) { return !step.op->differentiable(); }))
    return false;
  Rounded rounded;
  for (const Buffer& buffer : plan.buffers) rounded.emplace_back(buffer.rows, false);
  for (const Step& step : plan.steps) {
    const bool on_rounded = std::ranges::any_of(
        step.x, [&](int x) { return std::ranges::find(rounded[id(x)], true) != rounded[id(x)].end(); });
    if (on_rounded && !step.op->differentiable()) return true;
    std::vector<bool>& y = rounded[id(step.y)];
    for (std::size_t row = 0; row < y.size(); ++row) y[row] = rounds(step, row, rounded);
  }
  return false;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
