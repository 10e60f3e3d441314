// A model with hard decisions inside (votes, comparisons of computed numbers). Rounding in the last bits can
// flip such a decision, so an answer must stay valid in a small neighbourhood of its row as well.
#pragma once

#include <span>

#include "scfe/model.h"

namespace scfe {

// How the model uses one of its inputs.
struct InputUse {
  bool computed = false;  // added, multiplied, ...: the result is rounded
  bool compared = false;  // compared or looked up unchanged, which is exact
  bool single = false;    // rounded to single precision first, although the model computes in double
};

class Stepped {
 public:
  virtual ~Stepped() = default;
  virtual std::span<const InputUse> input_uses() const = 0;  // empty if there are no such decisions
};

inline std::span<const InputUse> input_uses(const Model& model) {
  const auto* stepped = dynamic_cast<const Stepped*>(&model);
  return stepped ? stepped->input_uses() : std::span<const InputUse>();
}
inline bool has_steps(const Model& model) { return !input_uses(model).empty(); }

}  // namespace scfe
