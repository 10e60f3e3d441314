// Describes an ONNX file, as text for people.
#pragma once

#include <string>

#include "scfe/onnx.h"

namespace scfe::cli {

std::string onnx_text(const OnnxInfo& info);

}  // namespace scfe::cli
