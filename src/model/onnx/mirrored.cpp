#include "model/onnx/mirrored.h"

#include "model/ops/affine.h"
#include "model/ops/dense.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

bool is_mirrored(const Plan& plan, int buffer) {
  while (plan.buffers[static_cast<std::size_t>(buffer)].rows == 2) {
    const int made = plan.buffers[static_cast<std::size_t>(buffer)].step;
    if (made < 0) return false;
    const Step& step = plan.steps[static_cast<std::size_t>(made)];
    if (const auto* affine = dynamic_cast<const Affine*>(step.op.get())) {
      if (affine->scale()[0] != affine->scale()[1] || affine->shift()[0] != -affine->shift()[1]) return false;
      buffer = step.x[0];
      continue;
    }
    const auto* dense = dynamic_cast<const Dense*>(step.op.get());
    const LinearMap* map = dense ? dense->map() : nullptr;
    if (!map || dense->epilogue().given() || map->bias[0] != -map->bias[1]) return false;
    for (std::size_t i = 0; i < map->in; ++i)
      if (map->weight[i] != -map->weight[map->in + i]) return false;
    return true;
  }
  return false;
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
