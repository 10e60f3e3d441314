// Recognises a plan with a linear score behind encoders of single inputs (onnx/pieces.h) as a sum of
// functions of single inputs.
#pragma once

#include <memory>

#include "model/additive.h"
#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Sums {
  std::shared_ptr<const Additive> additive;  // null if the plan has another form
  std::vector<Layer> linear;                 // one layer if every term is a x + b, also of a missing x
};
Sums sums_of(const Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
