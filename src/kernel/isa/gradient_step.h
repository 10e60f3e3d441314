// z - step gradient for one vector of lanes. Callers that need it twice compute it twice, which costs less
// than storing it. It is the same expression both times, so the bits are the same.
#pragma once

#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {

class GradientStep {
 public:
  GradientStep(const Descent& descent, size_t lane)
      : z_{descent.z.data + lane, descent.z.stride},
        gradient_{descent.gradient.data + lane, descent.gradient.stride},
        step_(load(descent.step + lane)),
        value_(load(descent.value + lane)) {}

  Vec at(size_t j) const { return fma(-step_, slope(j), load(z_.data + j * z_.stride)); }
  // Adds 0 if the value (or the gradient of feature j) is finite, else NaN.
  Vec doubt() const { return value_ * 0.0F; }
  Vec doubt(Vec so_far, size_t j) const { return fma(slope(j), 0.0F, so_far); }

 private:
  Vec slope(size_t j) const { return load(gradient_.data + j * gradient_.stride); }

  Const z_, gradient_;
  Vec step_, value_;
};

}  // namespace scfe::kernel::SCFE_ISA
