// A dense network whose inputs are first encoded one by one: scaled numbers, one-hot codes, filled-in values.
//
//     r_k = e_k(x_i)  for one input i per k,    scores = network(r)
//
// While the codes stay fixed, every r_k that moves is a scaled and shifted input, so the whole is again a
// dense network. Models of this form implement this interface in addition to Model.
#pragma once

#include <span>
#include <vector>

#include "scfe/model.h"

namespace scfe {

class CodedNetwork {
 public:
  virtual ~CodedNetwork() = default;
  // The dense layers that equal the model while only the inputs marked in `moves` leave x, with finite
  // values. Empty if the model is not a dense network there.
  virtual std::vector<Layer> layers_at(std::span<const double> x, std::span<const char> moves) const = 0;
};

}  // namespace scfe
