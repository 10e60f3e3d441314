// Elementwise activations and their derivatives.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {

void activate(int, float, const float* x, float* y, size_t count) {
  for (size_t i = 0; i < count; ++i) y[i] = x[i];
}

void activate_gradient(int, float, const float*, const float* dy, float* dx, size_t count) {
  for (size_t i = 0; i < count; ++i) dx[i] = dy[i];
}

}  // namespace scfe::kernel::SCFE_ISA
