#include "model/onnx/lowering.h"

#include <algorithm>
#include <set>

#include "model/onnx/mirrored.h"
#include "model/ops/catalogue.h"
#include "model/ops/elementwise.h"
#include "model/ops/sparse.h"
#include "scfe/error.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

// The batch axis is the first; a lane is a batch of one.
Shape input_shape(const Port& port, bool whole) {
  const std::string where = "input '" + port.name + "'";
  if (!port.tensor) throw Error(where, "a tensor", "a sequence or map");
  if (!port.has_shape) throw Error(where, "a shape", "none");
  Shape shape = port.shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    if (i != 0)
      throw Error(where, "fixed sizes but for the batch (axis 0)", "a dynamic axis " + std::to_string(i));
    shape[i] = 1;
  }
  if (!whole && shape.size() > 1 && shape[0] != 1)
    throw Error(where, "a dynamic batch axis 0, or a batch of 1",
                "a fixed batch of " + std::to_string(shape[0]));
  elements(shape);
  return shape;
}

class Lowering {
 public:
  Lowering(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info)
      : graph_(graph), scores_(scores), info_(info), build_(read_inputs(graph, options, info)) {
    bind_inputs();
    for (const auto& [name, tensor] : graph.constants) pending_[name] = tensor;
  }

  Lowered run(std::vector<std::string>* unsupported) {
    const std::set<std::string> needed = needed_values();
    for (const Node& node : graph_.nodes) {
      bool wanted = is_ml_classifier(node) && needed.contains(raw_output(node));
      for (const std::string& output : node.outputs) wanted = wanted || needed.contains(output);
      if (!wanted) continue;
      if (!unsupported)
        lower_node(node);
      else
        collect(node, *unsupported);
    }
    for (OnnxInput& input : info_.inputs)
      for (const auto& [feature, levels] : build_.levels())
        if (feature >= input.first && feature < input.first + input.count)
          input.levels[feature - input.first] = levels;
    if (unsupported && !values_.contains(scores_.value)) return {};
    Value scores = value(scores_.value);
    const bool sigmoids = std::ranges::count(scores_.looked_through, "Sigmoid") > 0;
    if (sigmoids && !scores.constant && is_mirrored(build_.plan(), scores.buffer))
      scores = take(build_, build_.view(scores, {2}), 0, {1});
    return {build_.finish(scores), true};
  }

 private:
  static std::size_t read_inputs(const Graph& graph, const OnnxOptions& options, OnnxInfo& info) {
    std::size_t features = 0;
    for (const Port& port : graph.inputs) {
      const Shape shape = input_shape(port, options.whole_shapes);
      info.inputs.push_back({port.name, name_of(port.type), port.wide, shape, features, elements(shape), {}});
      if (port.type == Type::text) info.inputs.back().levels.resize(elements(shape));
      features += elements(shape);
      elements({static_cast<std::int64_t>(features)});
    }
    if (features == 0) throw Error("onnx graph", "inputs", "none");
    return features;
  }

  void bind_inputs() {
    const Value all = build_.input();
    for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
      const OnnxInput& input = info_.inputs[i];
      std::vector<std::size_t> positions(input.count);
      for (std::size_t k = 0; k < input.count; ++k) positions[k] = input.first + k;
      Value value = build_.view(take(build_, all, 0, positions), input.shape);
      value.type = graph_.inputs[i].type;
      if (!graph_.inputs[i].wide) value = to_single(build_, value);
      if (value.type == Type::text)
        for (const std::size_t at : positions) value.origin.push_back(static_cast<std::uint32_t>(at));
      values_[input.name] = value;
    }
  }

  std::set<std::string> needed_values() const {
    std::set<std::string> needed = {scores_.value};
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
      bool wanted = is_ml_classifier(*node) && needed.contains(raw_output(*node));
      for (const std::string& output : node->outputs)
        wanted = wanted || (!output.empty() && needed.contains(output));
      if (wanted) needed.insert(node->inputs.begin(), node->inputs.end());
    }
    needed.erase("");
    return needed;
  }

  Value value(const std::string& name) {
    const auto known = values_.find(name);
    if (known != values_.end()) return known->second;
    const auto constant = pending_.find(name);
    if (constant == pending_.end())
      throw Error("value '" + name + "'", "an output that its operator gives here", "none");
    return values_[name] = build_.constant(constant->second);
  }

  void lower_node(const Node& node) {
    const OperatorRow* row = find_operator(node.domain, node.op);
    if (!row) throw Error(label(node), "an operator of the catalogue", "an unknown one");
    if (!row->lower) throw Error(label(node), "a supported operator", std::string(row->note));
    build_.set_node(label(node));
    Site::Inputs inputs;
    for (const std::string& input : node.inputs)
      inputs.push_back(input.empty() ? std::nullopt : std::optional(value(input)));
    const auto opset = graph_.opsets.find(node.domain);
    Site site(node, opset == graph_.opsets.end() ? 1 : opset->second, std::move(inputs), build_);
    try {
      row->lower(site);
    } catch (const Error& error) {
      const std::string what = error.what();
      throw Error(what.find(label(node)) == std::string::npos ? label(node) + ": " + what : what);
    }
    for (std::size_t k = 0; k < node.outputs.size(); ++k)
      if (site.result(k)) values_[node.outputs[k]] = *site.result(k);
    if (site.raw()) values_[raw_output(node)] = *site.raw();
  }

  // Nodes behind one that failed cannot be judged and are passed over.
  void collect(const Node& node, std::vector<std::string>& unsupported) {
    for (const std::string& input : node.inputs)
      if (!input.empty() && !values_.contains(input) && !pending_.contains(input)) return;
    try {
      lower_node(node);
    } catch (const Error& error) {
      unsupported.emplace_back(error.what());
    }
  }

  const Graph& graph_;
  const Scores& scores_;
  OnnxInfo& info_;
  Builder build_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, TensorPtr, std::less<>> pending_;
};

}  // namespace

Lowered lower(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info,
              std::vector<std::string>* unsupported) {
  return Lowering(graph, scores, options, info).run(unsupported);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
