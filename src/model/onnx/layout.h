// Where each buffer lives: offsets in rows into one arena, laid out once.
//
// Time runs over the steps forward and then backward. A value lives from the step that writes it to its
// last reader (backward included), a gradient from its first contribution to the backward of the step
// that made the value; buffers whose lives do not meet share memory.
#pragma once

#include <vector>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

struct Layout {
  std::vector<std::size_t> value;        // of each buffer; nowhere if unused
  std::vector<std::size_t> gradient;     // nowhere for the input and where no gradient flows
  std::vector<bool> flows;               // of each buffer: does backward give it a gradient?
  std::vector<std::vector<bool>> fresh;  // of each step and operand: its first contribution comes here
  std::size_t scratch = 0;               // for whichever step runs
  std::size_t spare = 0;                 // for an overwriting step whose result must be added
  std::size_t rows = 0;                  // of the whole arena
};

Layout lay_out(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
