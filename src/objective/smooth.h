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
  // At the last evaluate: the smallest margin of each lane (valid if >= 0 after the asked margin is taken
  // off), its log-density, and its value without the validity loss: what an answer that is valid costs.
  virtual const float* margin() const = 0;
  virtual const float* log_density() const = 0;
  virtual const float* cost() const = 0;

  // Weight of the validity loss of each lane, for the section search to set.
  virtual std::span<float> gamma() = 0;
};

}  // namespace scfe
