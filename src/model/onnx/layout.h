// Assigns memory to each buffer: offsets in rows into one arena, computed once.
//
// Time counts the steps forward and then backward. A value is alive from the step that writes it to its
// last reader (backward included). A gradient is alive from its first contribution to the backward pass of
// the step that made the value. Buffers that are never alive at the same time share memory.
#pragma once

#include <vector>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

struct Layout {
  std::vector<std::size_t> value;        // offset of each buffer; `nowhere` if unused
  std::vector<std::size_t> gradient;     // `nowhere` for the input and for buffers without gradient
  std::vector<bool> flows;               // true if backward computes the gradient of this buffer
  std::vector<std::vector<bool>> fresh;  // [step][operand]: true if it contributes first to that gradient
  std::size_t scratch = 0;               // offset of the scratch that the steps use in turn
  std::size_t spare = 0;                 // offset of a buffer for a step that overwrites but must add
  std::size_t rows = 0;                  // size of the whole arena
};

Layout lay_out(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
