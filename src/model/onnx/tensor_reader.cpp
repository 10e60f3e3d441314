// Reads a TensorProto in every encoding: raw bytes, and typed lists, packed or not. External data was already
// copied into the model (embed.h).
//
// The declared shape is trusted only after it was compared with the number of bytes in the file, so a wrong
// header cannot cause a large allocation.
#include "model/onnx/tensor_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "scfe/error.h"

namespace scfe::onnx {
namespace {

using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr std::size_t max_stored = std::size_t{1} << 34;

struct Encoded {
  std::string name;
  Shape shape;
  std::int32_t data_type = 0;
  std::optional<std::string_view> raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  bool is_external = false;
};

template <class Range, class List>
void append(const Range& range, List& list) {
  for (const auto value : range) list.push_back(static_cast<typename List::value_type>(value));
}

Encoded parse(protozero::pbf_reader m) {
  Encoded e;
  constexpr auto varint = pbf_wire_type::varint;
  constexpr auto bytes = pbf_wire_type::length_delimited;
  while (m.next()) switch (m.tag_and_type()) {
      case tag_and_type(1, varint):
        e.shape.push_back(m.get_int64());
        break;
      case tag_and_type(1, bytes):
        append(m.get_packed_int64(), e.shape);
        break;
      case tag_and_type(2, varint):
        e.data_type = m.get_int32();
        break;
      case tag_and_type(4, pbf_wire_type::fixed32):
        e.floats.push_back(m.get_float());
        break;
      case tag_and_type(4, bytes):
        append(m.get_packed_float(), e.floats);
        break;
      case tag_and_type(5, varint):
        e.integers.push_back(m.get_int32());
        break;
      case tag_and_type(5, bytes):
        append(m.get_packed_int32(), e.integers);
        break;
      case tag_and_type(6, bytes):
        e.texts.push_back(m.get_string());
        break;
      case tag_and_type(7, varint):
        e.integers.push_back(m.get_int64());
        break;
      case tag_and_type(7, bytes):
        append(m.get_packed_int64(), e.integers);
        break;
      case tag_and_type(8, bytes):
        e.name = m.get_string();
        break;
      case tag_and_type(9, bytes): {
        const auto view = m.get_view();
        e.raw = std::string_view(view.data(), view.size());
        break;
      }
      case tag_and_type(10, pbf_wire_type::fixed64):
        e.doubles.push_back(m.get_double());
        break;
      case tag_and_type(10, bytes):
        append(m.get_packed_double(), e.doubles);
        break;
      case tag_and_type(11, varint):
        e.integers.push_back(static_cast<std::int64_t>(m.get_uint64()));
        break;
      case tag_and_type(11, bytes):
        append(m.get_packed_uint64(), e.integers);
        break;
      case tag_and_type(14, varint):
        e.is_external = m.get_int32() == 1;
        break;
      default:
        m.skip();
    }
  return e;
}

void expect_count(std::size_t count, std::size_t got, const std::string& where) {
  if (got != count)
    throw Error(where, std::to_string(count) + " elements as its shape says", std::to_string(got));
}

void decode_raw(std::string_view raw, std::int32_t data_type, Tensor& tensor, const std::string& where) {
  const std::size_t count = elements(tensor.shape, max_stored);
  const Encoding encoding = encoding_of(data_type);
  if (encoding.width == 0)
    throw Error(where, "numbers as raw bytes", "data type " + std::to_string(data_type));
  if (raw.size() / encoding.width != count || raw.size() % encoding.width != 0)
    throw Error(where, std::to_string(count) + " elements of " + std::to_string(encoding.width) + " bytes",
                std::to_string(raw.size()) + " bytes");
  (tensor.type == Type::real ? tensor.reals.reserve(count) : tensor.integers.reserve(count));
  for (std::size_t i = 0; i < count; ++i) encoding.append(raw.data() + i * encoding.width, tensor);
}

void decode_lists(Encoded& e, Tensor& tensor, const std::string& where) {
  const std::size_t count = elements(tensor.shape, max_stored);
  if (tensor.type == Type::text) {
    tensor.texts = std::move(e.texts);
  } else if (tensor.type != Type::real) {
    tensor.integers = std::move(e.integers);
  } else if (e.data_type == 11) {
    append(e.doubles, tensor.reals);
  } else if (e.data_type == 1) {
    append(e.floats, tensor.reals);
  } else {
    for (const std::int64_t bits : e.integers)
      tensor.reals.push_back(e.data_type == 10 ? half(static_cast<std::uint16_t>(bits))
                                               : brain(static_cast<std::uint16_t>(bits)));
  }
  expect_count(count, tensor.size(), where);
}

}  // namespace

std::pair<std::string, Tensor> read_tensor(protozero::pbf_reader message) {
  Encoded e = parse(message);
  const std::string where = "tensor '" + e.name + "'";
  Tensor tensor;
  tensor.type = type_of(e.data_type, where);
  tensor.wide = is_wide(e.data_type);
  tensor.shape = e.shape;
  if (e.is_external)
    throw Error(where, "data inside the model", "external data, but the model came from memory");
  if (e.raw) {
    decode_raw(*e.raw, e.data_type, tensor, where);
  } else {
    decode_lists(e, tensor, where);
  }
  constexpr std::int32_t unsigned_64 = 13;
  if (e.data_type == unsigned_64 &&
      std::ranges::any_of(tensor.integers, [](auto value) { return value < 0; }))
    throw Error(where, "integers below 2^63", "a larger one");
  return {std::move(e.name), std::move(tensor)};
}

}  // namespace scfe::onnx
