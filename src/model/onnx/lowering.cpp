#include "model/onnx/lowering.h"

#include <algorithm>
#include <set>

#include "model/onnx/element_type.h"
#include "model/onnx/element_types.h"
#include "model/onnx/kinks.h"
#include "model/onnx/mirrored.h"
#include "model/ops/catalogue.h"
#include "model/ops/elementwise.h"
#include "model/ops/sparse.h"
#include "scfe/error.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

constexpr std::size_t max_features = std::size_t{1} << 20;

// The first axis is the batch; its size is 1, because each lane runs one instance.
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
  elements(shape, max_features);
  return shape;
}

// How many numbers the file holds.
std::size_t constants_of(const Graph& graph) {
  std::size_t count = 0;
  for (const auto& [name, tensor] : graph.constants) count += tensor->size();
  for (const Node& node : graph.nodes)
    for (const auto& [name, attribute] : node.attributes) {
      count += attribute.reals.size() + attribute.integers.size();
      if (attribute.tensor) count += attribute.tensor->size();
    }
  return count;
}

class Lowering {
 public:
  Lowering(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info)
      : graph_(graph),
        scores_(scores),
        info_(info),
        root_(scores.seen.empty() ? scores.value : scores.seen),
        kinks_(kinks_of(graph)),
        single_(is_double && is_in_double(graph) ? single_before_trees(graph) : std::set<std::string>()),
        build_(read_inputs(graph, options, info), constants_of(graph)) {
    if (std::ranges::any_of(graph.nodes, [](const Node& n) { return n.op.starts_with("TreeEnsemble"); }))
      build_.keep_rounding();
    bind_inputs();
    for (const auto& [name, tensor] : graph.constants) pending_[name] = tensor;
  }

  // found: the scores were found by search, not named by the user.
  Lowered run(std::vector<std::string>* unsupported, bool found, bool log_odds) {
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
    if (unsupported && !values_.contains(root_)) {
      if (unsupported->empty()) unsupported->push_back(missing(root_).what());
      return {};
    }
    Value scores = value(root_);
    if (const std::string wrong = found ? misfit(scores) : ""; !wrong.empty()) {
      if (!unsupported) throw Error(wrong);
      unsupported->push_back(wrong);
    }
    if (scores_.probability && scores.rows() == 1) scores = logit(scores);
    const bool centred = scores.centred;
    if (centred && log_odds)
      scores = logit(binary(build_, "Add", scores, scalar(build_, 0.5F), "output '" + scores_.output + "'"));
    const bool sigmoids = std::ranges::count(scores_.looked_through, "Sigmoid") > 0;
    if (sigmoids && !scores.constant && is_mirrored(build_.plan(), scores.buffer))
      scores = take(build_, build_.view(scores, {2}), 0, {1});
    return {build_.finish(scores), true, centred};
  }

 private:
  // Says why these cannot be the scores of one instance with one column per class; empty if they can.
  std::string misfit(const Value& scores) const {
    const auto axes = std::ranges::count_if(scores.shape, [](std::int64_t size) { return size != 1; });
    const std::size_t columns = scores.rows(), named = scores_.classes.size();
    const std::string where = "output '" + scores_.output + "'", what = " in value '" + root_ + "'";
    if (axes > 1 || columns == 0)
      return Error(where, "scores of one instance, a column for each class",
                   "shape " + to_text(scores.shape) + what)
          .what();
    if (const Node* last = takes_last())
      return Error(label(*last), "the first index at a tie", "select_last_index").what();
    if (named < 2 || named == columns || (columns == 1 && named == 2)) return "";
    return Error(where, std::to_string(named) + " scores, one for each class that the file names",
                 std::to_string(columns) + what)
        .what();
  }

  // A skipped ArgMax that takes the last of equal scores, or null. Without the ArgMax the first one wins.
  const Node* takes_last() const {
    if (std::ranges::count(scores_.looked_through, "ArgMax") == 0) return nullptr;
    const auto found = std::ranges::find_if(graph_.nodes, [&](const Node& node) {
      const auto last = node.attributes.find("select_last_index");
      return node.op == "ArgMax" && last != node.attributes.end() && last->second.integer != 0 &&
             !node.outputs.empty() && !values_.contains(node.outputs[0]);
    });
    return found == graph_.nodes.end() ? nullptr : &*found;
  }

  // log(p / (1 - p)), with p clamped away from 0 and 1.
  Value logit(Value p) {
    p.type = Type::real;  // p may be a label, which is an integer
    constexpr Real edge = is_double ? Real(1e-15) : Real(1e-7);
    const std::string where = "output '" + scores_.output + "'";
    const auto number = [&](Real value) { return scalar(build_, value); };
    build_.set_node(where);
    const Value inside =
        binary(build_, "Min", binary(build_, "Max", p, number(edge), where), number(1 - edge), where);
    const Value other = binary(build_, "Sub", number(1), inside, where);
    return binary(build_, "Sub", unary(build_, "Log", inside), unary(build_, "Log", other), where);
  }

  bool known(const std::string& name) const {
    return name.empty() || values_.contains(name) || pending_.contains(name);
  }

  // An Error that names the first node on the way to the value that failed although all its inputs are known.
  Error missing(std::string name) const {
    const Node* giver = nullptr;
    for (auto node = graph_.nodes.rbegin(); node != graph_.nodes.rend(); ++node) {
      if (std::ranges::count(node->outputs, name) == 0) continue;
      giver = &*node;
      const auto open = std::ranges::find_if(node->inputs, [&](const auto& input) { return !known(input); });
      if (open == node->inputs.end()) break;
      name = *open;
    }
    if (!giver) return Error("value '" + name + "'", "a value of the graph", "none");
    return Error(label(*giver), "output '" + name + "' to be one that can be computed", "none");
  }

  static std::size_t read_inputs(const Graph& graph, const OnnxOptions& options, OnnxInfo& info) {
    std::size_t features = 0;
    for (const Port& port : graph.inputs) {
      const Shape shape = input_shape(port, options.whole_shapes);
      info.inputs.push_back({port.name,
                             is_half(port.element) ? "half" : name_of(port.type),
                             is_wide(port.element),
                             shape,
                             features,
                             elements(shape),
                             {}});
      if (port.type == Type::text) info.inputs.back().levels.resize(elements(shape));
      features += elements(shape);
      elements({static_cast<std::int64_t>(features)}, max_features);
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
      value = as_declared(build_, value, graph_.inputs[i].element);
      value.single = single_.contains(input.name);
      if (value.type == Type::text)
        for (const std::size_t at : positions) value.origin.push_back(static_cast<std::uint32_t>(at));
      values_[input.name] = value;
    }
  }

  std::set<std::string> needed_values() const {
    std::set<std::string> needed = {root_};
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
    if (constant == pending_.end()) throw missing(name);
    return values_[name] = build_.constant(constant->second);
  }

  void lower_node(const Node& node) {
    const OperatorRow* row = find_operator(node.domain, node.op);
    if (!row) throw Error(label(node), "an operator of the catalogue", "an unknown one");
    if (!row->lower) throw Error(label(node), "a supported operator", std::string(row->note));
    build_.set_node(label(node), kinks_.contains(&node));
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
      if (site.result(k)) values_[node.outputs[k]] = in_own_type(*site.result(k), node.outputs[k]);
    if (site.raw()) values_[raw_output(node)] = *site.raw();
  }

  Value in_own_type(const Value& value, const std::string& name) {
    if (!single_.contains(name)) return value;
    Value rounded = value.constant ? value : as_single(build_, value);
    rounded.single = true;
    return rounded;
  }

  // Lowers the node and collects its error. Nodes that depend on a failed one are skipped, and so are all
  // nodes after the budget is used up.
  void collect(const Node& node, std::vector<std::string>& unsupported) {
    if (build_.exhausted()) return;
    for (const std::string& input : node.inputs)
      if (!known(input)) return;
    try {
      lower_node(node);
    } catch (const Error& error) {
      unsupported.emplace_back(error.what());
    }
  }

  const Graph& graph_;
  const Scores& scores_;
  OnnxInfo& info_;
  const std::string& root_;  // the value to compute
  const std::set<const Node*> kinks_;
  const std::set<std::string> single_;  // values that are rounded although the plan is in double
  Builder build_;
  std::map<std::string, Value, std::less<>> values_;
  std::map<std::string, TensorPtr, std::less<>> pending_;
};

}  // namespace

Lowered lower(const Graph& graph, const Scores& scores, const OnnxOptions& options, OnnxInfo& info,
              std::vector<std::string>* unsupported, bool log_odds) {
  return Lowering(graph, scores, options, info).run(unsupported, options.scores.empty(), log_odds);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
