// Writes numbers, texts and lists as little-endian bytes and reads them back. Every length is checked against
// the remaining bytes before anything is allocated.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scfe/error.h"
#include "scfe/matrix.h"

namespace scfe {

static_assert(std::endian::native == std::endian::little, "bytes are written as they lie in memory");

template <class T>
concept Plain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

class ByteWriter {
 public:
  const std::string& bytes() const { return bytes_; }

  template <Plain T>
  void put(T value) {
    raw(&value, sizeof value);
  }
  void put_flag(bool value) { put(static_cast<std::uint8_t>(value)); }
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  template <Plain T>
  void put_list(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    raw(list.data(), list.size() * sizeof(T));
  }
  void put_matrix(const Matrix& matrix) {
    put(std::uint64_t{matrix.rows});
    put(std::uint64_t{matrix.cols});
    put_list(matrix.values);
  }

 private:
  void raw(const void* from, std::size_t size) { bytes_.append(static_cast<const char*>(from), size); }
  std::string bytes_;
};

class ByteReader {
 public:
  // `source` names the bytes in error messages. The bytes are not copied.
  ByteReader(std::string_view bytes, std::string source) : left_(bytes), source_(std::move(source)) {}

  template <Plain T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  bool get_flag() {
    const auto value = get<std::uint8_t>();
    require(value <= 1, "0 or 1", value);
    return value == 1;
  }
  // Reads an enumerator: a number below `count`.
  std::uint8_t get_choice(unsigned count) {
    const auto value = get<std::uint8_t>();
    require(value < count, "a number below " + std::to_string(count), value);
    return value;
  }
  std::string get_text() {
    const std::size_t size = get_size(1);
    return {take(size), size};
  }
  template <Plain T>
  std::vector<T> get_list() {
    std::vector<T> list(get_size(sizeof(T)));
    const char* from = take(list.size() * sizeof(T));
    if (!list.empty()) std::memcpy(list.data(), from, list.size() * sizeof(T));
    return list;
  }
  // Reads the number of entries that follow, each of at least `bytes_each` bytes.
  std::size_t get_size(std::size_t bytes_each) {
    const auto count = get<std::uint64_t>();
    if (count > left_.size() / bytes_each)
      throw Error(source_, "at most " + std::to_string(left_.size() / bytes_each) + " entries",
                  std::to_string(count));
    return static_cast<std::size_t>(count);
  }
  Matrix get_matrix() {
    Matrix matrix;
    const auto rows = get<std::uint64_t>(), cols = get<std::uint64_t>();
    matrix.values = get_list<double>();
    const std::uint64_t size = matrix.values.size();
    const bool fits = rows == 0 || cols == 0 ? size == 0 : size % rows == 0 && size / rows == cols;
    require(fits, "rows times columns values", size);
    matrix.rows = static_cast<std::size_t>(rows);
    matrix.cols = static_cast<std::size_t>(cols);
    return matrix;
  }

  template <class Got>
  void require(bool holds, const std::string& expected, Got got) const {
    if (!holds) throw Error(source_, expected, std::to_string(got));
  }
  bool at_end() const { return left_.empty(); }
  void require_end() const { require(left_.empty(), "the end", left_.size()); }

 private:
  const char* take(std::size_t size) {
    if (size > left_.size())
      throw Error(source_, std::to_string(size) + " more bytes", std::to_string(left_.size()));
    const char* at = left_.data();
    left_.remove_prefix(size);
    return at;
  }

  std::string_view left_;
  std::string source_;
};

}  // namespace scfe
