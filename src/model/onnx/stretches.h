// Convolutions and what stands between them, moved from rows to images.
#pragma once

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Neighbouring steps that all run on images, with one operand and one result, at least one of them a
// convolution, become a single step (ops/image_stretch.h).
void stretch_images(Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
