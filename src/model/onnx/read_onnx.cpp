#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "model/onnx/choice/choose.h"
#include "model/onnx/element_types.h"
#include "model/onnx/embed.h"
#include "model/onnx/output_of.h"
#include "scfe/error.h"
#include "scfe/file.h"
#include "scfe/onnx.h"

namespace scfe {
namespace {

using onnx::Graph;

// Counts real numbers in the node's attributes: ai.onnx.ml keeps all weights there. nodes_hitrates are counts
// of training rows, not weights.
std::size_t parameters_of(const onnx::Node& node) {
  std::size_t count = 0;
  for (const auto& [name, attribute] : node.attributes) {
    if (name == "nodes_hitrates") continue;
    count += attribute.reals.size();
    // Scalars are parts of a formula, not weights.
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

// What a weight may not be, by the operator that reads it: products make every score NaN of an infinite one,
// while a sum with minus infinity masks a value.
enum class Weights { any, not_nan, finite };

Weights weights_of(const onnx::Node& node) {
  static const std::set<std::string, std::less<>> products = {"MatMul", "Gemm", "Conv", "ConvTranspose",
                                                              "LSTM",   "GRU",  "RNN",  "BatchNormalization",
                                                              "Mul"},
                                                  sums = {"Add", "Sub", "Div"};
  if (node.domain.empty())
    return products.contains(node.op) ? Weights::finite
           : sums.contains(node.op)   ? Weights::not_nan
                                      : Weights::any;
  return node.op.starts_with("Linear") || node.op.starts_with("SVM") || node.op == "Scaler" ? Weights::finite
                                                                                            : Weights::any;
}

template <class Numbers>
void expect_weights(const Numbers& numbers, Weights wanted, const std::string& where) {
  for (const auto value : numbers)
    if (std::isnan(value) || (wanted == Weights::finite && std::isinf(value)))
      throw Error(where, "finite weights", std::isnan(value) ? "NaN" : "an infinite one");
}

// Throws an Error for a weight that is no number, which a failed training run leaves behind.
void expect_weights(const Graph& graph) {
  auto constants = graph.constants;
  for (const onnx::Node& node : graph.nodes)
    if (const auto value = node.attributes.find("value");
        node.op == "Constant" && node.outputs.size() == 1 && value != node.attributes.end())
      constants.emplace(node.outputs[0], value->second.tensor);
  for (const onnx::Node& node : graph.nodes) {
    const Weights wanted = weights_of(node);
    if (wanted == Weights::any) continue;
    for (const std::string& input : node.inputs)
      if (const auto found = constants.find(input); found != constants.end() && found->second)
        expect_weights(found->second->reals, wanted, label(node) + ", tensor '" + input + "'");
    for (const auto& [name, attribute] : node.attributes)
      expect_weights(attribute.reals, wanted, label(node) + ", " + name);
  }
}

// Throws an Error for a matrix of NaN only, whatever reads it. (A single NaN, or a row of them, may mark
// missing values.)
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
  expect_weights(graph);
  return graph;
}

// Why the model could not be read, if no single node is the cause.
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
  return onnx::choose_scores(graph, options).model;
}

OnnxInfo inspect_onnx(const std::string& path, const OnnxOptions& options) {
  const std::string file = whole_file(path);
  return inspect_onnx(std::as_bytes(std::span(file)), options);
}

OnnxInfo inspect_onnx(std::span<const std::byte> file, const OnnxOptions& options) {
  const Graph graph = sorted_graph(file);
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
  info.in_double = onnx::computes_in_double(graph, options);
  if (info.in_double)
    onnx::describe<double>(reading, info);
  else
    onnx::describe<float>(reading, info);
  if (!trouble.empty() && info.unsupported.empty()) info.unsupported.push_back(trouble);
  return info;
}

}  // namespace scfe
