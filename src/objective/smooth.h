// The smooth part of the equation as the solver sees it: value and gradient for a block of w = x - x_f.
#pragma once

#include <span>

#include "scfe/block.h"

namespace scfe {

class Smooth {
 public:
  virtual ~Smooth() = default;
  virtual std::size_t features() const = 0;
  // value[lane], and gradient where not null.
  virtual void evaluate(const Block& w, float* value, Block* gradient) = 0;
  // Of each lane at the last evaluate: the smallest margin minus the required one (valid if >= 0), the
  // log-density, and the value without the validity loss, which is the cost of a valid answer.
  virtual const float* margin() const = 0;
  virtual const float* log_density() const = 0;
  virtual const float* cost() const = 0;

  // The weight of each lane's validity loss. The section search sets it.
  virtual std::span<float> gamma() = 0;
};

}  // namespace scfe
