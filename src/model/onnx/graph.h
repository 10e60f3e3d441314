// The graph as the file tells it: nodes, constants, inputs, outputs; nothing is understood yet.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/onnx/tensor.h"

namespace scfe::onnx {

struct Attribute {
  enum class Kind { none, real, integer, text, tensor, graph, reals, integers, texts };
  Kind kind = Kind::none;
  float real = 0;
  std::int64_t integer = 0;
  std::string text;
  std::vector<float> reals;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  TensorPtr tensor;
};

struct Node {
  std::string name, op, domain;
  std::vector<std::string> inputs, outputs;  // an empty name: not given
  std::map<std::string, Attribute, std::less<>> attributes;
};

// A dimension of -1 is dynamic.
struct Port {
  std::string name;
  Type type = Type::real;
  std::int32_t element = 1;  // TensorProto.DataType as declared
  bool tensor = true;        // false: a sequence or map (ZipMap's output)
  Shape shape;
  bool has_shape = false;
};

struct Graph {
  std::string producer;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // domain ("" for ai.onnx) -> version
  std::vector<Node> nodes;
  std::map<std::string, TensorPtr, std::less<>> constants;
  std::vector<Port> inputs, outputs;
};

// Error for anything that is no well-formed model, and for external data (see embed.h).
Graph read_graph(std::span<const std::byte> file);

// Nodes so that each comes after those it reads, keeping the file's order where it can; Error on a cycle,
// on a value defined twice, and on one that nobody defines.
void sort_nodes(Graph& graph);

// "node 'name' (Op)", for messages.
std::string label(const Node& node);

}  // namespace scfe::onnx
