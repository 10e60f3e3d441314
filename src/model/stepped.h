// A model with decisions inside (votes, comparisons of computed numbers) that can turn with the last bits.
// An answer for it has to hold a little around its row as well (src/dust.h).
#pragma once

#include <span>

#include "scfe/model.h"

namespace scfe {

// What becomes of an input of the model.
struct InputUse {
  bool computed = false;  // added, multiplied, ...: the result is rounded
  bool compared = false;  // or looked up, as it stands: exact
  bool single = false;    // rounded to single precision first, though the model computes in double
};

class Stepped {
 public:
  virtual ~Stepped() = default;
  virtual std::span<const InputUse> input_uses() const = 0;  // empty: no such decisions
};

inline std::span<const InputUse> input_uses(const Model& model) {
  const auto* stepped = dynamic_cast<const Stepped*>(&model);
  return stepped ? stepped->input_uses() : std::span<const InputUse>();
}
inline bool has_steps(const Model& model) { return !input_uses(model).empty(); }

}  // namespace scfe
