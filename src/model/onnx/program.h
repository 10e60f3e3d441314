// The Model that runs a plan: the steps forward, and backward over the same buffers.
#pragma once

#include <memory>

#include "model/onnx/plan.h"
#include "scfe/model.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

std::shared_ptr<const Model> make_program(Plan plan, Model::Output output = Model::Output::unknown);

}
}  // namespace scfe::onnx
