#include <algorithm>
#include <cmath>
#include <filesystem>

#include "model/onnx/choice/choose.h"
#include "model/onnx/embed.h"
#include "model/onnx/output_of.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/onnx.h"

namespace scfe {
namespace {

using onnx::Graph;

bool in_double(const OnnxOptions& options) {
  if (options.precision != "float" && options.precision != "double")
    throw Error("precision", "float or double", "'" + options.precision + "'");
  return options.precision == "double";
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

// A matrix without a single number is what a training run leaves that went wrong. (A lone NaN, or a row of
// them, may stand for missing values.)
void expect_numbers(const Graph& graph) {
  for (const auto& [name, tensor] : graph.constants) {
    const bool matrix = std::ranges::count_if(tensor->shape, [](std::int64_t size) { return size > 1; }) > 1;
    if (matrix && tensor->type == onnx::Type::real && !tensor->reals.empty() &&
        std::ranges::all_of(tensor->reals, [](auto value) { return std::isnan(value); }))
      throw Error("tensor '" + name + "'", "numbers", "nothing but NaN");
  }
}

Graph sorted_graph(std::span<const std::byte> file) {
  Graph graph = onnx::read_graph(file);
  onnx::sort_nodes(graph);
  expect_numbers(graph);
  return graph;
}

// Why the model could not be read, where no node says so.
std::string trouble_of(const Graph& graph, const OnnxOptions& options, onnx::Scores& scores) {
  try {
    scores = onnx::likely_scores(graph, options);
    scores = onnx::choose_scores(graph, options).scores;
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

std::string whole_file(const std::string& path) {
  return onnx::embed_external_data(read_file(path), std::filesystem::absolute(path).parent_path());
}

}  // namespace

std::shared_ptr<const Model> read_onnx(const std::string& path, const OnnxOptions& options) {
  const std::string file = whole_file(path);
  return read_onnx(std::as_bytes(std::span(file)), options);
}

std::shared_ptr<const Model> read_onnx(std::span<const std::byte> file, const OnnxOptions& options) {
  const Graph graph = sorted_graph(file);
  in_double(options);
  return onnx::choose_scores(graph, options).model;
}

OnnxInfo inspect_onnx(const std::string& path, const OnnxOptions& options) {
  const std::string file = whole_file(path);
  return inspect_onnx(std::as_bytes(std::span(file)), options);
}

OnnxInfo inspect_onnx(std::span<const std::byte> file, const OnnxOptions& options) {
  const Graph graph = sorted_graph(file);
  const bool wide = in_double(options);
  onnx::Scores scores;
  const std::string trouble = trouble_of(graph, options, scores);
  if (scores.value.empty()) throw Error(trouble);
  OnnxInfo info;
  info.producer = graph.producer;
  info.classes = scores.classes;
  info.integer_classes = scores.integer_classes;
  info.looked_through = scores.looked_through;
  info.probability = onnx::output_of(graph, scores) == Model::Output::sigmoid;
  for (const onnx::Port& port : graph.outputs)
    info.outputs.push_back({port.name, port.name == scores.output});
  count_ops(graph, info);
  const onnx::Reading reading{graph, scores, options};
  if (wide)
    onnx::describe<double>(reading, info);
  else
    onnx::describe<float>(reading, info);
  if (!trouble.empty() && info.unsupported.empty()) info.unsupported.push_back(trouble);
  return info;
}

}  // namespace scfe
