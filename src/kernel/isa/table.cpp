#include "kernel/isa/loops.h"

#define SCFE_NAME_OF(isa) #isa
#define SCFE_NAME(isa) SCFE_NAME_OF(isa)

namespace scfe::kernel::SCFE_ISA {

extern const Kernels table;
const Kernels table = {SCFE_NAME(SCFE_ISA),
                       dense,
                       linear,
                       mixture,
                       activate,
                       activate_gradient,
                       largest,
                       descend,
                       descend_to_largest,
                       displace,
                       slope,
                       affine,
                       squares,
                       attract,
                       extrapolate,
                       sweep,
                       pooled_sweep,
                       gather,
                       gather_patches,
                       transpose,
                       max_pool,
                       winograd_in,
                       winograd_multiply,
                       winograd_out,
                       packed_exponents,
                       packed_sum,
                       coarse_table,
                       coarse_near,
                       listed_sum,
                       listed_distances};

}  // namespace scfe::kernel::SCFE_ISA
