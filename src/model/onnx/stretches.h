// Replaces runs of steps that contain a convolution by one step that works on whole images.
#pragma once

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Replaces a run of steps by a single step (ops/image_stretch.h) if all of them can run on images, at least
// one is a convolution, and the run has one operand and one result.
void stretch_images(Plan& plan);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
