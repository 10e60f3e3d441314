// Reads the user's log-density. Unlike a classifier's, its output is taken as it is: a final Sigmoid or
// Softmax is not removed.
#include "scfe/density_model.h"

#include <filesystem>
#include <span>

#include "model/onnx/embed.h"
#include "model/onnx/graph.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/onnx.h"

namespace scfe {
namespace {

std::shared_ptr<const Model> open_log_density(const std::string& onnx) {
  const auto bytes = std::as_bytes(std::span(onnx));
  const std::vector<onnx::Port> outputs = onnx::read_graph(bytes).outputs;
  if (outputs.size() != 1) {
    std::string names;
    for (const onnx::Port& port : outputs) names += (names.empty() ? ": '" : ", '") + port.name + "'";
    throw Error("outputs", "one, the log-density (a column, or one for each class)",
                std::to_string(outputs.size()) + names);
  }
  OnnxOptions options;
  options.scores = outputs[0].name;
  auto model = read_onnx(bytes, options);
  const OnnxInfo info = inspect_onnx(bytes, options);
  if (!info.differentiable)
    throw Error("a log-density with a gradient is needed, which stops at " + info.gradient_obstacle);
  return model;
}

}  // namespace

DensityModel density_model_of(std::string onnx, const std::string& source) {
  try {
    auto model = open_log_density(onnx);
    return {std::move(model), source, std::move(onnx)};
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
}

DensityModel read_density_model(const std::string& path) {
  std::string bytes = read_file(path);
  try {
    bytes = onnx::embed_external_data(std::move(bytes), std::filesystem::absolute(path).parent_path());
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  return density_model_of(std::move(bytes), path);
}

}  // namespace scfe
