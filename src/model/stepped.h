// A model with decisions inside (votes, comparisons of computed numbers) that can turn with the last bits.
// An answer for it has to hold a little around its row as well (src/dust.h).
#pragma once

#include "scfe/model.h"

namespace scfe {

class Stepped {
 public:
  virtual ~Stepped() = default;
  virtual bool has_steps() const = 0;
};

inline bool has_steps(const Model& model) {
  const auto* stepped = dynamic_cast<const Stepped*>(&model);
  return stepped != nullptr && stepped->has_steps();
}

}  // namespace scfe
