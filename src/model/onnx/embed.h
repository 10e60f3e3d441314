// External data -> raw bytes inside the model: from then on one file is the whole model.
#pragma once

#include <filesystem>
#include <string>

namespace scfe::onnx {

// The model with the data of `folder` inside; as it is where it has none outside, or is no model at all.
// Error for data that is not there, or that lies elsewhere than beside the model.
std::string embed_external_data(std::string model, const std::filesystem::path& folder);

}  // namespace scfe::onnx
