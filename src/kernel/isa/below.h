// z - step grad of one vector of lanes. Computed anew where it is wanted twice, which costs less than keeping
// it: both times by the same expression, and so to the same bits.
#pragma once

#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {

class Below {
 public:
  Below(const Descent& descent, size_t lane)
      : z_{descent.z.data + lane, descent.z.stride},
        gradient_{descent.gradient.data + lane, descent.gradient.stride},
        step_(load(descent.step + lane)),
        value_(load(descent.value + lane)) {}

  Vec at(size_t j) const { return load(z_.data + j * z_.stride) - step_ * slope(j); }
  // 0 where finite, no number elsewhere: of the value, of one feature's gradient.
  Vec doubt() const { return value_ * 0.0F; }
  Vec doubt(size_t j) const { return slope(j) * 0.0F; }

 private:
  Vec slope(size_t j) const { return load(gradient_.data + j * gradient_.stride); }

  Const z_, gradient_;
  Vec step_, value_;
};

}  // namespace scfe::kernel::SCFE_ISA
