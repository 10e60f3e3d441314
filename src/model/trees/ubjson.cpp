#include "model/trees/ubjson.h"

#include <bit>
#include <cstdint>
#include <string>

#include "scfe/error.h"
#include "support/budget.h"

namespace scfe {
namespace {

using Json = nlohmann::json;

class UbjsonReader {
 public:
  explicit UbjsonReader(std::string_view bytes) : bytes_(bytes), budget_(bytes.size(), "UBJSON") {}

  Json document() {
    Json value = read(marker(), 0);
    while (at_ < bytes_.size() && bytes_[at_] == 'N') ++at_;
    if (at_ != bytes_.size()) fail("nothing after the document", "more bytes");
    return value;
  }

 private:
  static constexpr int max_depth = 64;
  // Bytes of a value, in a list that doubles as it grows, and of a member of an object beside its value.
  static constexpr double each_value = 48, each_member = 96;

  [[noreturn]] static void fail(const std::string& expected, const std::string& got) {
    throw Error("UBJSON", expected, got);
  }
  char byte() {
    if (at_ == bytes_.size()) fail("more bytes", "the end");
    return bytes_[at_++];
  }
  // The next marker; no-operation markers may occur anywhere and are skipped.
  char marker() {
    char kind = byte();
    while (kind == 'N') kind = byte();
    return kind;
  }
  char peek() const {
    if (at_ == bytes_.size()) fail("more bytes", "the end");
    return bytes_[at_];
  }

  template <class T>
  T integer() {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) value = value << 8 | static_cast<unsigned char>(byte());
    return static_cast<T>(value);
  }
  std::int64_t integer(char kind) {
    switch (kind) {
      case 'i':
        return integer<std::int8_t>();
      case 'U':
        return integer<std::uint8_t>();
      case 'I':
        return integer<std::int16_t>();
      case 'l':
        return integer<std::int32_t>();
      case 'L':
        return integer<std::int64_t>();
      default:
        fail("a whole number", std::string(1, kind));
    }
  }
  std::size_t count(char kind) {
    const std::int64_t value = integer(kind);
    // Every element takes at least one byte, so a larger count cannot be true.
    if (value < 0 || static_cast<std::uint64_t>(value) > bytes_.size() - at_)
      fail("a count within the file", std::to_string(value));
    return static_cast<std::size_t>(value);
  }
  std::string text() {
    const std::size_t size = count(marker());
    std::string result(bytes_.substr(at_, size));
    at_ += size;
    return result;
  }

  Json read(char kind, int depth) {
    if (depth > max_depth) fail("at most 64 levels", "deeper ones");
    budget_.take(each_value);
    switch (kind) {
      case 'Z':
        return nullptr;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'd':
        return static_cast<double>(std::bit_cast<float>(integer<std::uint32_t>()));
      case 'D':
        return std::bit_cast<double>(integer<std::uint64_t>());
      case 'C':
        return std::string(1, byte());
      case 'S':
        return text();
      case '[':
        return array(depth);
      case '{':
        return object(depth);
      default:
        return integer(kind);
    }
  }

  struct Header {
    char type = 0;
    bool counted = false;
    std::size_t count = 0;
  };
  Header header() {
    Header header;
    if (peek() == '$') {
      ++at_;
      header.type = byte();
      if (header.type == 'Z' || header.type == 'T' || header.type == 'F' || header.type == 'N')
        fail("a type with content", std::string(1, header.type));
      if (peek() != '#') fail("a count after the type", std::string(1, peek()));
    }
    if (peek() == '#') {
      ++at_;
      header.counted = true;
      header.count = count(marker());
    }
    return header;
  }

  Json array(int depth) {
    const Header head = header();
    Json list = Json::array();
    for (std::size_t i = 0; !head.counted || i < head.count; ++i) {
      const char kind = head.type != 0 ? head.type : marker();
      if (!head.counted && kind == ']') break;
      list.push_back(read(kind, depth + 1));
    }
    return list;
  }

  Json object(int depth) {
    const Header head = header();
    Json members = Json::object();
    for (std::size_t i = 0; !head.counted || i < head.count; ++i) {
      if (!head.counted && peek() == '}') {
        ++at_;
        break;
      }
      budget_.take(each_member);
      std::string name = text();
      members[std::move(name)] = read(head.type != 0 ? head.type : marker(), depth + 1);
    }
    return members;
  }

  std::string_view bytes_;
  Budget budget_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_ubjson(std::string_view bytes) { return UbjsonReader(bytes).document(); }

}  // namespace scfe
