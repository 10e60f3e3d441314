// ModelProto -> Graph. Fields of an unexpected wire type are skipped like unknown fields. If a needed value
// is then missing, its reader throws an Error.
#include <protozero/pbf_reader.hpp>

#include "model/onnx/graph.h"
#include "model/onnx/tensor_reader.h"
#include "scfe/error.h"

namespace scfe::onnx {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto varint = pbf_wire_type::varint;
constexpr auto bytes = pbf_wire_type::length_delimited;
constexpr auto fixed32 = pbf_wire_type::fixed32;
constexpr std::size_t most_nodes = 1 << 17;  // planning goes over all of them several times

Attribute::Kind kind_of(std::int32_t type) {
  using Kind = Attribute::Kind;
  switch (type) {
    case 1:
      return Kind::real;
    case 2:
      return Kind::integer;
    case 3:
      return Kind::text;
    case 4:
      return Kind::tensor;
    case 6:
      return Kind::reals;
    case 7:
      return Kind::integers;
    case 8:
      return Kind::texts;
    default:
      return Kind::graph;
  }
}

std::pair<std::string, Attribute> read_attribute(pbf_reader m) {
  using Kind = Attribute::Kind;
  std::string name;
  Attribute a;
  Kind declared = Kind::none;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, bytes):
        name = m.get_string();
        break;
      case tag_and_type(2, fixed32):
        a.real = m.get_float(), a.kind = Kind::real;
        break;
      case tag_and_type(3, varint):
        a.integer = m.get_int64(), a.kind = Kind::integer;
        break;
      case tag_and_type(4, bytes):
        a.text = m.get_string(), a.kind = Kind::text;
        break;
      case tag_and_type(5, bytes):
        a.tensor = std::make_shared<const Tensor>(read_tensor(m.get_message()).second);
        a.kind = Kind::tensor;
        break;
      case tag_and_type(7, fixed32):
        a.reals.push_back(m.get_float()), a.kind = Kind::reals;
        break;
      case tag_and_type(7, bytes):
        for (const float value : m.get_packed_float()) a.reals.push_back(value);
        a.kind = Kind::reals;
        break;
      case tag_and_type(8, varint):
        a.integers.push_back(m.get_int64()), a.kind = Kind::integers;
        break;
      case tag_and_type(8, bytes):
        for (const std::int64_t value : m.get_packed_int64()) a.integers.push_back(value);
        a.kind = Kind::integers;
        break;
      case tag_and_type(9, bytes):
        a.texts.push_back(m.get_string()), a.kind = Kind::texts;
        break;
      case tag_and_type(20, varint):
        declared = kind_of(m.get_int32());
        break;
      default:
        m.skip();
    }
  if (declared != Kind::none) a.kind = declared;
  return {name, a};
}

Node read_node(pbf_reader m) {
  Node node;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, bytes):
        node.inputs.push_back(m.get_string());
        break;
      case tag_and_type(2, bytes):
        node.outputs.push_back(m.get_string());
        break;
      case tag_and_type(3, bytes):
        node.name = m.get_string();
        break;
      case tag_and_type(4, bytes):
        node.op = m.get_string();
        break;
      case tag_and_type(5, bytes):
        node.attributes.insert(read_attribute(m.get_message()));
        break;
      case tag_and_type(7, bytes):
        node.domain = m.get_string();
        break;
      default:
        m.skip();
    }
  if (node.domain == "ai.onnx") node.domain.clear();
  return node;
}

std::int64_t read_dimension(pbf_reader m) {
  std::int64_t size = -1;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, varint):
        size = m.get_int64();
        break;
      default:
        m.skip();
    }
  return size < 0 ? -1 : size;
}

void read_tensor_type(pbf_reader m, Port& port) {
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, varint): {
        port.element = m.get_int32();
        port.type = type_of(port.element, "value '" + port.name + "'");
        break;
      }
      case tag_and_type(2, bytes): {
        port.has_shape = true;
        pbf_reader shape = m.get_message();
        while (shape.next(1, bytes)) port.shape.push_back(read_dimension(shape.get_message()));
        break;
      }
      default:
        m.skip();
    }
}

Port read_port(pbf_reader m) {
  Port port;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, bytes):
        port.name = m.get_string();
        break;
      case tag_and_type(2, bytes): {
        pbf_reader type = m.get_message();
        port.tensor = false;
        while (type.next()) {
          if (type.tag_and_type() == tag_and_type(1, bytes)) {
            port.tensor = true;
            read_tensor_type(type.get_message(), port);
          } else {
            type.skip();
          }
        }
        break;
      }
      default:
        m.skip();
    }
  return port;
}

void read_graph_message(pbf_reader m, Graph& graph) {
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, bytes):
        if (graph.nodes.size() == most_nodes)
          throw Error("onnx graph", "at most " + std::to_string(most_nodes) + " nodes", "more");
        graph.nodes.push_back(read_node(m.get_message()));
        break;
      case tag_and_type(2, bytes):
        graph.name = m.get_string();
        break;
      case tag_and_type(5, bytes): {
        auto [name, tensor] = read_tensor(m.get_message());
        graph.constants[name] = std::make_shared<const Tensor>(std::move(tensor));
        break;
      }
      case tag_and_type(11, bytes):
        graph.inputs.push_back(read_port(m.get_message()));
        break;
      case tag_and_type(12, bytes):
        graph.outputs.push_back(read_port(m.get_message()));
        break;
      case tag_and_type(15, bytes):
        throw Error("onnx graph", "dense initialisers", "a sparse initialiser");
      default:
        m.skip();
    }
}

void read_opset(pbf_reader m, Graph& graph) {
  std::string domain;
  std::int64_t version = 0;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, bytes):
        domain = m.get_string();
        break;
      case tag_and_type(2, varint):
        version = m.get_int64();
        break;
      default:
        m.skip();
    }
  graph.opsets[domain == "ai.onnx" ? "" : domain] = version;
}

Graph read_model(pbf_reader m) {
  Graph graph;
  bool found = false;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(2, bytes):
        graph.producer = m.get_string();
        break;
      case tag_and_type(7, bytes):
        if (found) throw Error("onnx file", "one graph", "several");
        found = true;
        read_graph_message(m.get_message(), graph);
        break;
      case tag_and_type(8, bytes):
        read_opset(m.get_message(), graph);
        break;
      case tag_and_type(25, bytes):
        throw Error("onnx file", "a graph of plain operators", "local functions (inline them on export)");
      default:
        m.skip();
    }
  if (!found) throw Error("onnx file", "a model with a graph", "none");
  std::erase_if(graph.inputs, [&](const Port& port) { return graph.constants.contains(port.name); });
  return graph;
}

}  // namespace

Graph read_graph(std::span<const std::byte> file) {
  try {
    return read_model(pbf_reader(reinterpret_cast<const char*>(file.data()), file.size()));
  } catch (const protozero::exception& broken) {
    throw Error("onnx file", "a well-formed protobuf", broken.what());
  }
}

}  // namespace scfe::onnx
