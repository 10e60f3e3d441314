#include "model/onnx/embed.h"

#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string_view>

#include "model/onnx/element_type.h"
#include "scfe/error.h"
#include "support/open_beside.h"

namespace scfe::onnx {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

using pbf_wire_type::length_delimited;
constexpr std::size_t max_model = (std::size_t{1} << 31) - 1;  // protobuf's limit

struct External {
  std::string name, location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
  bool outside = false;
  Shape shape;
  std::int32_t data_type = 0;

  std::string where() const { return "tensor '" + name + "'"; }
  // The size of the data that the shape declares.
  std::uint64_t bytes() const { return elements(shape, max_model) * encoding_of(data_type).width; }
};

std::uint64_t parse_number(const std::string& text, const std::string& where) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw Error(where, "a number of bytes", "'" + text + "'");
  return std::stoull(text);
}

void read_entry(pbf_reader entry, External& external) {
  std::string key, value;
  while (entry.next()) switch (entry.tag_and_type()) {
      case tag_and_type(1, length_delimited):
        key = entry.get_string();
        break;
      case tag_and_type(2, length_delimited):
        value = entry.get_string();
        break;
      default:
        entry.skip();
    }
  if (key == "location") external.location = value;
  if (key == "offset") external.offset = parse_number(value, "external data offset");
  if (key == "length") external.length = parse_number(value, "external data length");
}

External read_external(pbf_reader tensor) {
  External external;
  while (tensor.next()) switch (tensor.tag_and_type()) {
      case tag_and_type(1, pbf_wire_type::varint):
        external.shape.push_back(tensor.get_int64());
        break;
      case tag_and_type(1, length_delimited):
        for (const std::int64_t size : tensor.get_packed_int64()) external.shape.push_back(size);
        break;
      case tag_and_type(2, pbf_wire_type::varint):
        external.data_type = tensor.get_int32();
        break;
      case tag_and_type(8, length_delimited):
        external.name = tensor.get_string();
        break;
      case tag_and_type(13, length_delimited):
        read_entry(tensor.get_message(), external);
        break;
      case tag_and_type(14, pbf_wire_type::varint):
        external.outside = tensor.get_int32() == 1;
        break;
      default:
        tensor.skip();
    }
  return external;
}

class Embedding {
 public:
  explicit Embedding(const std::filesystem::path& folder) : folder_(folder) {}

  // Tensors are found below ModelProto.graph (.initializer and .node.attribute.t); all else is copied.
  std::string model(std::string_view message) { return rewrite(message, {{7, &Embedding::graph}}); }
  bool found() const { return found_; }

 private:
  using Inner = std::string (Embedding::*)(std::string_view);
  struct Field {
    std::uint32_t tag;
    Inner inner;
  };

  std::string graph(std::string_view message) {
    return rewrite(message, {{1, &Embedding::node}, {5, &Embedding::tensor}});
  }
  std::string node(std::string_view message) { return rewrite(message, {{5, &Embedding::attribute}}); }
  std::string attribute(std::string_view message) { return rewrite(message, {{5, &Embedding::tensor}}); }

  std::string tensor(std::string_view message) {
    const External external = read_external(pbf_reader(message.data(), message.size()));
    if (!external.outside) return std::string(message);
    constexpr std::uint32_t raw_data = 9, external_data = 13, data_location = 14;
    std::string result;
    pbf_reader m(message.data(), message.size());
    for (const char* begin = message.data(); m.next(); begin = m.data().data()) {
      const std::uint32_t tag = m.tag();  // read before skip(), which clears it in debug builds
      m.skip();
      if (tag != raw_data && tag != external_data && tag != data_location)
        result.append(begin, m.data().data());
    }
    pbf_writer(result).add_bytes(raw_data, read(external));
    return result;
  }

  std::string rewrite(std::string_view message, std::initializer_list<Field> fields) {
    std::string result;
    result.reserve(message.size());
    pbf_writer writer(result);
    pbf_reader m(message.data(), message.size());
    for (const char* begin = message.data(); m.next(); begin = m.data().data()) {
      const std::uint32_t tag = m.tag();
      Inner inner = nullptr;
      for (const Field& field : fields)
        if (m.tag_and_type() == tag_and_type(field.tag, length_delimited)) inner = field.inner;
      if (inner) {
        const auto view = m.get_view();
        writer.add_bytes(tag, (this->*inner)({view.data(), view.size()}));
      } else {
        m.skip();
        result.append(begin, m.data().data());
      }
    }
    return result;
  }

  std::string read(const External& external) {
    const OpenFile file = open_beside(folder_, external.location, external.where());
    if (external.offset > file.size)
      throw Error(external.where(), "an offset inside the file", std::to_string(external.offset));
    const std::uint64_t length = external.length.value_or(file.size - external.offset);
    if (length > file.size - external.offset)
      throw Error(external.where(), "a length inside the file", std::to_string(length));
    if (length != external.bytes())
      throw Error(external.where(), std::to_string(external.bytes()) + " bytes, as its shape says",
                  std::to_string(length));
    // The total is limited, because many tensors may refer to the same bytes.
    if (length > max_model - total_)
      throw Error(external.where(), "less than 2 GiB of external data in all", "more");
    total_ += length;
    found_ = true;
    std::string data(length, '\0');
    file.seek(external.offset);
    for (std::size_t at = 0; at < length;) {
      const std::size_t got = file.read(data.data() + at, length - at);
      if (got == 0) throw Error(external.where(), "readable external data", "'" + external.location + "'");
      at += got;
    }
    return data;
  }

  const std::filesystem::path& folder_;
  std::size_t total_ = 0;
  bool found_ = false;
};

}  // namespace

std::string embed_external_data(std::string model, const std::filesystem::path& folder) {
  try {
    Embedding embedding(folder);
    std::string whole = embedding.model(model);
    return embedding.found() ? whole : model;
  } catch (const protozero::exception&) {
    return model;  // read_graph reports what is wrong
  }
}

}  // namespace scfe::onnx
