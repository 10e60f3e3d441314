// A dense network behind encoders of single inputs: scalers of numbers, one-hot encoders of codes, imputers.
//
//     r_k = e_k(x_i)  for an input i of its own,    scores = network(r)
//
// While the codes stay as they are, every r_k that moves is a scaled and shifted input, and the whole is a
// dense network again. Beside Model, for those that are one.
#pragma once

#include <span>
#include <vector>

#include "scfe/model.h"

namespace scfe {

class CodedNetwork {
 public:
  virtual ~CodedNetwork() = default;
  // The layers that it consists of where the marked inputs alone move away from x, as finite numbers; empty
  // if it is anything else there.
  virtual std::vector<Layer> layers_at(std::span<const double> x, std::span<const char> moves) const = 0;
};

}  // namespace scfe
