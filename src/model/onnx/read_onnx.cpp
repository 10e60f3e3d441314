#include <algorithm>
#include <filesystem>
#include <fstream>

#include "model/onnx/ensemble_of.h"
#include "model/onnx/layout.h"
#include "model/onnx/lowering.h"
#include "model/onnx/output_of.h"
#include "model/onnx/program.h"
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

onnx::Scores wanted_scores(const Graph& graph, const OnnxOptions& options) {
  if (options.scores.empty()) return onnx::find_scores(graph);
  onnx::Scores scores;
  scores.value = scores.output = options.scores;
  return scores;
}

std::shared_ptr<const Model> read(std::span<const std::byte> file, const Folder& folder,
                                  const OnnxOptions& options) {
  Graph graph = onnx::read_graph(file, folder);
  onnx::sort_nodes(graph);
  OnnxInfo info;
  const onnx::Scores scores = wanted_scores(graph, options);
  onnx::Plan plan = onnx::lower(graph, scores, options, info, nullptr).plan;
  const Model::Output output =
      options.scores.empty() ? onnx::output_of(graph, scores) : Model::Output::unknown;
  if (std::optional<Ensemble> ensemble = onnx::ensemble_of(plan); ensemble && options.scores.empty()) {
    ensemble->output = output;
    return ensemble_model(std::move(*ensemble), "tree ensemble");
  }
  return onnx::make_program(std::move(plan), output);
}

void count_ops(const Graph& graph, OnnxInfo& info) {
  std::map<std::string, std::size_t> counts;
  for (const onnx::Node& node : graph.nodes)
    ++counts[(node.domain.empty() ? "" : node.domain + ".") + node.op];
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
  const onnx::Lowered lowered = onnx::lower(graph, scores, options, info, &info.unsupported);
  if (!info.inputs.empty()) info.features = info.inputs.back().first + info.inputs.back().count;
  if (!lowered.complete) return info;
  const onnx::Plan& plan = lowered.plan;
  info.scores = plan.buffers[static_cast<std::size_t>(plan.scores)].rows;
  for (const onnx::Step& step : plan.steps) info.flops_per_gradient += 2 * step.op->flops();
  info.differentiable = onnx::lay_out(plan).flows[0];
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
