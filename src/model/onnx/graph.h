// The graph as the file holds it: nodes, constants, inputs and outputs, not yet interpreted.
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
  std::vector<std::string> inputs, outputs;  // an empty name is an optional value that is absent
  std::map<std::string, Attribute, std::less<>> attributes;
};

// An input or output of the graph. A dimension of -1 is dynamic.
struct Port {
  std::string name;
  Type type = Type::real;
  std::int32_t element = 1;  // TensorProto.DataType as declared
  bool tensor = true;        // false: a sequence or map (ZipMap's output)
  Shape shape;
  bool has_shape = false;
};

struct Graph {
  std::string producer, name;
  std::map<std::string, std::int64_t, std::less<>> opsets;  // domain ("" for ai.onnx) -> version
  std::vector<Node> nodes;
  std::map<std::string, TensorPtr, std::less<>> constants;
  std::vector<Port> inputs, outputs;
};

// Throws an Error if the file is not a well-formed model, or if it still has external data (see embed.h).
Graph read_graph(std::span<const std::byte> file);

// Sorts the nodes so that each comes after those it reads, in the file's order where possible. Throws an
// Error on a cycle, on a value defined twice, and on a value that no node defines.
void sort_nodes(Graph& graph);

// "node 'name' (Op)", for messages.
std::string label(const Node& node);

}  // namespace scfe::onnx
