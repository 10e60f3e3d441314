#include "model/onnx/graph.h"

#include <algorithm>
#include <queue>
#include <set>

#include "scfe/error.h"

namespace scfe::onnx {

std::string label(const Node& node) {
  const std::string& name = !node.name.empty() || node.outputs.empty() ? node.name : node.outputs.front();
  std::string text = "node '" + name + "' (" + (node.domain.empty() ? "" : node.domain + ".") + node.op + ")";
  // Error messages are one line, even if the names in the file contain line breaks.
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 127; }, ' ');
  return text;
}

namespace {

// The version of an operator set defines what its operators do. Before ai.onnx 7, broadcasting, padding and
// dropout were different, so only operators that never changed are accepted. Versions after 22 are assumed to
// mean the same as 22. Only sets that some node uses are checked.
void check_version(const Graph& graph, const Node& node) {
  constexpr std::int64_t newest = 30;
  static const std::set<std::string, std::less<>> unchanged = {
      "Constant", "GlobalAveragePool", "GlobalMaxPool", "Identity", "MatMul",
      "Not",      "Softplus",          "Softsign",      "Transpose"};
  if (!node.domain.empty() && node.domain != "ai.onnx.ml") return;
  const auto found = graph.opsets.find(node.domain);
  const std::string set = "operator set " + (node.domain.empty() ? "ai.onnx" : node.domain);
  if (found == graph.opsets.end()) throw Error(set, "a version", "none");
  const std::int64_t version = found->second,
                     oldest = node.domain.empty() && !unchanged.contains(node.op) ? 7 : 1;
  if (version < oldest || version > newest)
    throw Error(set, "a version from " + std::to_string(oldest) + " to " + std::to_string(newest),
                std::to_string(version));
}

// Which node defines each value. Throws an Error if two nodes define the same one.
std::map<std::string, std::size_t, std::less<>> producers(const Graph& graph) {
  std::map<std::string, std::size_t, std::less<>> made;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n)
    for (const std::string& output : graph.nodes[n].outputs) {
      if (output.empty()) continue;
      if (!made.emplace(output, n).second || graph.constants.contains(output))
        throw Error(label(graph.nodes[n]), "a new value", "'" + output + "', defined twice");
    }
  return made;
}

}  // namespace

void sort_nodes(Graph& graph) {
  for (const Node& node : graph.nodes) check_version(graph, node);
  const auto made = producers(graph);
  std::map<std::string, bool, std::less<>> given;
  for (const Port& port : graph.inputs) given[port.name] = true;
  std::vector<std::vector<std::size_t>> readers(graph.nodes.size());
  std::vector<std::size_t> waiting(graph.nodes.size(), 0);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n)
    for (const std::string& input : graph.nodes[n].inputs) {
      if (input.empty() || given.contains(input) || graph.constants.contains(input)) continue;
      const auto from = made.find(input);
      if (from == made.end()) throw Error(label(graph.nodes[n]), "a defined input", "'" + input + "'");
      readers[from->second].push_back(n);
      ++waiting[n];
    }
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n)
    if (waiting[n] == 0) ready.push(n);
  std::vector<Node> sorted;
  while (!ready.empty()) {
    const std::size_t n = ready.top();
    ready.pop();
    for (const std::size_t reader : readers[n])
      if (--waiting[reader] == 0) ready.push(reader);
    sorted.push_back(std::move(graph.nodes[n]));
  }
  if (sorted.size() != graph.nodes.size()) throw Error("onnx graph", "no cycles", "a cycle of nodes");
  graph.nodes = std::move(sorted);
}

}  // namespace scfe::onnx
