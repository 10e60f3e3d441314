#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/onnx/compile.h"
#include "scfe/error.h"
#include "scfe/onnx.h"

namespace scfe {
namespace {

using onnx::Graph;
using Folder = std::optional<std::filesystem::path>;

std::vector<std::byte> read_file(const std::string& path) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file) throw Error("model", "a readable onnx file", "'" + path + "'");
  std::vector<std::byte> bytes(size);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size)))
    throw Error("model", "a readable onnx file", "'" + path + "'");
  return bytes;
}

// Looking for the scores goes back from each output, through all nodes at worst.
constexpr std::size_t few_outputs = 16, max_looks = std::size_t{1} << 20;

onnx::Scores wanted_scores(const Graph& graph, const OnnxOptions& options) {
  if (options.scores.empty()) {
    const std::size_t outputs = graph.outputs.size();
    if (outputs > few_outputs && outputs > max_looks / (1 + graph.nodes.size()))
      throw Error("onnx graph", "fewer outputs, or the name of the value that holds the scores",
                  std::to_string(outputs) + " outputs");
    return onnx::find_scores(graph);
  }
  onnx::Scores scores;
  scores.value = scores.output = options.scores;
  return scores;
}

bool in_double(const OnnxOptions& options) {
  if (options.precision != "float" && options.precision != "double")
    throw Error("precision", "float or double", "'" + options.precision + "'");
  return options.precision == "double";
}

std::shared_ptr<const Model> read(std::span<const std::byte> file, const Folder& folder,
                                  const OnnxOptions& options) {
  Graph graph = onnx::read_graph(file, folder);
  onnx::sort_nodes(graph);
  const onnx::Scores scores = wanted_scores(graph, options);
  const onnx::Reading reading{graph, scores, options};
  if (!in_double(options)) return onnx::compile<float>(reading);
  auto model = onnx::compile<double>(reading);
  const bool wide = std::ranges::any_of(graph.inputs, &onnx::Port::wide);
  return model->ensemble() && !wide ? onnx::compile<float>(reading) : model;
}

// Real numbers among the node's attributes: all of ai.onnx.ml's weights are there, but also how many rows
// came by.
std::size_t parameters_of(const onnx::Node& node) {
  std::size_t count = 0;
  for (const auto& [name, attribute] : node.attributes) {
    if (name == "nodes_hitrates") continue;
    count += attribute.reals.size();
    // Scalars are the formula's own.
    if (const auto& tensor = attribute.tensor;
        tensor && tensor->type == onnx::Type::real && tensor->size() > 1)
      count += tensor->size();
  }
  return count;
}

void count_ops(const Graph& graph, OnnxInfo& info) {
  std::map<std::string, std::size_t> counts;
  for (const onnx::Node& node : graph.nodes) {
    ++counts[(node.domain.empty() ? "" : node.domain + ".") + node.op];
    info.parameters += parameters_of(node);
  }
  info.ops.assign(counts.begin(), counts.end());
  for (const auto& [name, tensor] : graph.constants)
    if (tensor->type == onnx::Type::real) info.parameters += tensor->size();
}

OnnxInfo inspect(std::span<const std::byte> file, const Folder& folder, const OnnxOptions& options) {
  Graph graph = onnx::read_graph(file, folder);
  onnx::sort_nodes(graph);
  const onnx::Scores scores = wanted_scores(graph, options);
  OnnxInfo info;
  info.producer = graph.producer;
  info.classes = scores.classes;
  info.integer_classes = scores.integer_classes;
  info.looked_through = scores.looked_through;
  for (const onnx::Port& port : graph.outputs)
    info.outputs.push_back({port.name, port.name == scores.output});
  count_ops(graph, info);
  const onnx::Reading reading{graph, scores, options};
  if (in_double(options))
    onnx::describe<double>(reading, info);
  else
    onnx::describe<float>(reading, info);
  return info;
}

Folder folder_of(const std::string& path) { return std::filesystem::absolute(path).parent_path(); }

}  // namespace

std::shared_ptr<const Model> read_onnx(const std::string& path, const OnnxOptions& options) {
  return read(read_file(path), folder_of(path), options);
}

std::shared_ptr<const Model> read_onnx(std::span<const std::byte> file, const OnnxOptions& options) {
  return read(file, std::nullopt, options);
}

OnnxInfo inspect_onnx(const std::string& path, const OnnxOptions& options) {
  return inspect(read_file(path), folder_of(path), options);
}

OnnxInfo inspect_onnx(std::span<const std::byte> file, const OnnxOptions& options) {
  return inspect(file, std::nullopt, options);
}

}  // namespace scfe
