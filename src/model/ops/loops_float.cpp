#include <cassert>

#include "model/ops/loops.h"
#include "scfe/block.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// The kernel needs a multiple of lane_step lanes. A single lane occurs only when a constant is folded, which
// is before any fusion.
void multiply(const Linear& map, Const x, Mutable y, std::size_t lanes) {
  if (lanes % lane_step == 0)
    return kernel::kernels().linear({map.out, map.in, map.weight, map.bias, map.rows, map.epilogue.kind,
                                     map.epilogue.parameter, map.gate},
                                    x, y, lanes);
  assert(!map.epilogue.given());
  for (std::size_t l = 0; l < lanes; ++l)
    for (std::size_t o = 0; o < map.out; ++o) {
      float sum = map.bias ? map.bias[o] : 0.0F;
      for (std::size_t i = 0; i < map.in; ++i) {
        const std::int64_t from = map.rows ? map.rows[i] : static_cast<std::int64_t>(i);
        if (from >= 0) sum += map.weight[o * map.in + i] * row(x, static_cast<std::size_t>(from))[l];
      }
      row(y, o)[l] = sum;
    }
}

void apply(Epilogue f, const float* x, float* y, std::size_t count) {
  kernel::kernels().activate(f.kind, f.parameter, x, y, count);
}

void apply_slope(Epilogue f, const float* x, const float* dy, float* dx, std::size_t count) {
  kernel::kernels().activate_gradient(f.kind, f.parameter, x, dy, dx, count);
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
