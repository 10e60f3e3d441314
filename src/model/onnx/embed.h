// Copies external tensor data into the model as raw bytes, so that one file holds the whole model.
#pragma once

#include <filesystem>
#include <string>

namespace scfe::onnx {

// The model with its external data from `folder` inside. Bytes without external data, or that are no model,
// are returned unchanged. Throws an Error if the data is missing or lies outside of the folder.
std::string embed_external_data(std::string model, const std::filesystem::path& folder);

}  // namespace scfe::onnx
