// Writes small ONNX files field by field, well-formed or not.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "scfe/error.h"
#include "scfe/onnx.h"

namespace scfe::test {

class Proto {
 public:
  Proto& number(std::uint32_t tag, std::uint64_t value) {
    varint(tag << 3U);
    varint(value);
    return *this;
  }
  Proto& text(std::uint32_t tag, const std::string& value) {
    varint((tag << 3U) | 2U);
    varint(value.size());
    for (const char c : value) bytes_.push_back(static_cast<std::byte>(c));
    return *this;
  }
  Proto& message(std::uint32_t tag, const Proto& inner) {
    return text(tag, std::string(reinterpret_cast<const char*>(inner.bytes_.data()), inner.bytes_.size()));
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7U) bytes_.push_back(static_cast<std::byte>(value | 128U));
    bytes_.push_back(static_cast<std::byte>(value));
  }
  std::vector<std::byte> bytes_;
};

// An input or output: a tensor of a TensorProto.DataType; -1 is a dynamic dimension.
inline Proto port(const std::string& name, const std::vector<std::int64_t>& shape, std::uint64_t type = 1) {
  Proto dims;
  for (const std::int64_t size : shape)
    dims.message(1, size < 0 ? Proto().text(2, "n") : Proto().number(1, static_cast<std::uint64_t>(size)));
  return Proto().text(1, name).message(2, Proto().message(1, Proto().number(1, type).message(2, dims)));
}

inline Proto node(const std::string& op, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs) {
  Proto node;
  for (const std::string& input : inputs) node.text(1, input);
  for (const std::string& output : outputs) node.text(2, output);
  return node.text(4, op);
}

// Attributes of a node: a list of whole numbers, or of texts.
inline Proto integers(const std::string& name, const std::vector<std::int64_t>& values) {
  Proto list = Proto().text(1, name).number(20, 7);
  for (const std::int64_t value : values) list.number(8, static_cast<std::uint64_t>(value));
  return list;
}
inline Proto texts(const std::string& name, const std::vector<std::string>& values) {
  Proto list = Proto().text(1, name).number(20, 8);
  for (const std::string& value : values) list.text(9, value);
  return list;
}

// A constant matrix of floats.
inline Proto matrix(const std::string& name, std::uint64_t rows, std::uint64_t cols,
                    const std::vector<float>& values) {
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return Proto().number(1, rows).number(1, cols).number(2, 1).text(8, name).text(9, raw);
}

inline Proto to_float(const std::string& from, const std::string& to) {
  return node("Cast", {from}, {to}).message(5, Proto().text(1, "to").number(3, 1).number(20, 2));
}

inline Proto model(const Proto& graph) {
  return Proto().number(1, 8).message(7, graph).message(8, Proto().text(1, "").number(2, 17));
}

// The message of the Error that reading the file throws; empty if it does not throw.
inline std::string refusal(const Proto& file, const OnnxOptions& options = {}) {
  try {
    (void)read_onnx(file.bytes(), options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace scfe::test
