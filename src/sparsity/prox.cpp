#include "sparsity/prox.h"

#include "kernel/rows_of.h"

namespace scfe {

bool Prox::descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const {
  const bool in_doubt = kernel::kernels().descend(step, kernel::rows_of(shifted), w.padded_lanes());
  prox(shifted, step.step, box, w);
  return in_doubt;
}

}  // namespace scfe
