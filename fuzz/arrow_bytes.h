// Arrow streams made from the bytes of a fuzzer. Buffers are as long as their column says and are allocated
// one by one, so that the address sanitizer sees a read beyond them; what a reader can check by itself may be
// wrong: formats, names, counts, codes of dictionaries, the order of offsets, pointers that are missing.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "scfe/c_api.h"

namespace scfe::fuzz {

class ArrowBytes {
 public:
  explicit ArrowBytes(FuzzedDataProvider& bytes) : bytes_(bytes) {
    const auto columns = bytes.ConsumeIntegralInRange<std::size_t>(0, 5);
    for (std::size_t i = 0; i < columns; ++i) columns_.push_back(make_column(i));
    for (auto batches = bytes.ConsumeIntegralInRange(0, 2); batches > 0; --batches) add_batch();
  }
  ArrowBytes(const ArrowBytes&) = delete;
  ArrowBytes& operator=(const ArrowBytes&) = delete;

  // Reads from this object, which has to outlive it.
  ArrowArrayStream stream() {
    next_ = 0;
    return {[](ArrowArrayStream* s, ArrowSchema* out) { return of(s).give_schema(out); },
            [](ArrowArrayStream* s, ArrowArray* out) { return of(s).give_batch(out); },
            [](ArrowArrayStream*) -> const char* { return nullptr; },
            [](ArrowArrayStream* s) { s->release = nullptr; }, this};
  }

 private:
  struct Column {
    std::string format, name, dictionary_format;
    bool has_dictionary = false, ordered = false;
    ArrowSchema schema{}, dictionary{};
  };
  struct Array {
    std::vector<std::unique_ptr<std::vector<std::uint8_t>>> memory;
    std::vector<const void*> buffers;
    std::unique_ptr<Array> dictionary;
    ArrowArray array{};
  };
  struct Batch {
    std::vector<std::unique_ptr<Array>> columns;
    std::vector<ArrowArray*> children;
    std::int64_t length = 0;
  };

  static ArrowBytes& of(ArrowArrayStream* stream) { return *static_cast<ArrowBytes*>(stream->private_data); }
  bool rarely() { return bytes_.ConsumeIntegral<std::uint8_t>() == 255; }

  std::string format() {
    constexpr std::string_view usual = "gfebcCsSiIlLuUn";
    if (rarely()) return bytes_.ConsumeRandomLengthString(6);
    return {usual[bytes_.ConsumeIntegralInRange<std::size_t>(0, usual.size() - 1)]};
  }

  std::unique_ptr<Column> make_column(std::size_t place) {
    static const char* const names[] = {"a", "b", "c", "label", "row", "answer", "status", "a:max"};
    auto column = std::make_unique<Column>();
    column->format = format();
    column->name = rarely()               ? bytes_.ConsumeRandomLengthString(8)
                   : bytes_.ConsumeBool() ? names[place]
                                          : bytes_.PickValueInArray(names);
    column->has_dictionary = bytes_.ConsumeIntegralInRange(0, 3) == 0;
    if (column->has_dictionary) column->dictionary_format = format();
    column->ordered = bytes_.ConsumeBool();
    column->dictionary = schema_of(column->dictionary_format, "");
    column->schema = schema_of(column->format, column->name);
    column->schema.flags = column->ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0;
    if (column->has_dictionary) column->schema.dictionary = &column->dictionary;
    if (rarely()) column->schema.format = nullptr;
    if (rarely()) column->schema.name = nullptr;
    return column;
  }

  static ArrowSchema schema_of(const std::string& format, const std::string& name) {
    ArrowSchema schema{};
    schema.format = format.c_str();
    schema.name = name.c_str();
    schema.release = [](ArrowSchema* s) { s->release = nullptr; };
    return schema;
  }

  static std::size_t width_of(char format) {
    if (std::strchr("gUlL", format)) return 8;
    if (std::strchr("fuiI", format)) return 4;
    return std::strchr("esS", format) ? 2 : 1;
  }

  const void* buffer(Array& array, std::vector<std::uint8_t> content) {
    array.memory.push_back(std::make_unique<std::vector<std::uint8_t>>(std::move(content)));
    array.memory.back()->shrink_to_fit();
    return array.memory.back()->data();
  }
  std::vector<std::uint8_t> some(std::size_t size) {
    std::vector<std::uint8_t> content = bytes_.ConsumeBytes<std::uint8_t>(size);
    content.resize(size);
    return content;
  }

  // Numbers that a table may hold, rather than any bits: small ones, some of them beyond a category's levels.
  template <class Number>
  std::vector<std::uint8_t> numbers(std::size_t count) {
    std::vector<Number> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(static_cast<Number>(bytes_.ConsumeIntegralInRange(-1, 25)));
    const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
    return {first, first + values.size() * sizeof(Number)};
  }
  std::vector<std::uint8_t> values_of(char format, std::size_t count) {
    if (rarely()) return some(count * width_of(format));
    if (format == 'g') return numbers<double>(count);
    if (format == 'f') return numbers<float>(count);
    if (width_of(format) == 8) return numbers<std::int64_t>(count);
    if (width_of(format) == 4) return numbers<std::int32_t>(count);
    if (format == 's' || format == 'S') return numbers<std::int16_t>(count);
    return format == 'c' || format == 'C' ? numbers<std::int8_t>(count) : some(count * width_of(format));
  }

  // Offsets that stay inside the bytes, in order but for some.
  template <class Offset>
  void add_texts(Array& array, std::size_t count) {
    static const char* const cells[] = {"", "x", "y", "z", "yes", "no", "1", "0.5", "valid", "?", "nan"};
    std::string all;
    std::vector<Offset> offsets = {0};
    for (std::size_t i = 0; i < count; ++i) {
      all += rarely() ? bytes_.ConsumeRandomLengthString(12) : bytes_.PickValueInArray(cells);
      offsets.push_back(static_cast<Offset>(all.size()));
    }
    if (rarely() && count > 0)
      offsets[bytes_.ConsumeIntegralInRange<std::size_t>(0, count)] =
          static_cast<Offset>(bytes_.ConsumeIntegralInRange<std::size_t>(0, all.size()));
    const auto* first = reinterpret_cast<const std::uint8_t*>(offsets.data());
    array.buffers.push_back(buffer(array, {first, first + offsets.size() * sizeof(Offset)}));
    array.buffers.push_back(buffer(array, {all.begin(), all.end()}));
  }

  std::unique_ptr<Array> make_array(const std::string& format, std::size_t length,
                                    std::size_t parent_offset) {
    auto made = std::make_unique<Array>();
    ArrowArray& array = made->array;
    const char kind = format.empty() ? 'g' : format[0];
    array.offset = bytes_.ConsumeIntegralInRange(0, 2);
    array.length = static_cast<std::int64_t>(length + parent_offset);
    const std::size_t count = length + parent_offset + static_cast<std::size_t>(array.offset);
    if (kind != 'n') {
      const bool full = bytes_.ConsumeBool();
      made->buffers.push_back(full ? nullptr : buffer(*made, some((count + 7) / 8)));
      if (kind == 'u')
        add_texts<std::int32_t>(*made, count);
      else if (kind == 'U')
        add_texts<std::int64_t>(*made, count);
      else
        made->buffers.push_back(buffer(*made, kind == 'b' ? some((count + 7) / 8) : values_of(kind, count)));
    }
    if (rarely() && !made->buffers.empty()) made->buffers.pop_back();
    if (rarely() && !made->buffers.empty()) made->buffers.back() = nullptr;
    array.n_buffers = static_cast<std::int64_t>(made->buffers.size());
    array.buffers = made->buffers.data();
    if (rarely()) array.length = bytes_.ConsumeIntegralInRange<std::int64_t>(-3, array.length);
    if (rarely()) array.offset = -1;
    array.release = [](ArrowArray* a) { a->release = nullptr; };
    return made;
  }

  void add_batch() {
    Batch batch;
    batch.length = bytes_.ConsumeIntegralInRange(0, 6);
    for (const auto& column : columns_) {
      auto array = make_array(column->format, static_cast<std::size_t>(batch.length), 0);
      if (column->has_dictionary && !rarely()) {
        const auto levels = bytes_.ConsumeIntegralInRange<std::size_t>(0, 4);
        array->dictionary = make_array(column->dictionary_format, levels, 0);
        array->array.dictionary = &array->dictionary->array;
      }
      batch.children.push_back(rarely() ? nullptr : &array->array);
      batch.columns.push_back(std::move(array));
    }
    if (rarely()) batch.length = -1;
    batches_.push_back(std::move(batch));
  }

  int give_schema(ArrowSchema* out) {
    children_.clear();
    for (const auto& column : columns_) children_.push_back(&column->schema);
    *out = schema_of(rows_format_, rows_format_);
    out->n_children = static_cast<std::int64_t>(children_.size());
    out->children = children_.data();
    return 0;
  }
  int give_batch(ArrowArray* out) {
    *out = {};
    if (next_ == batches_.size()) return 0;
    Batch& batch = batches_[next_++];
    out->length = batch.length;
    out->n_children = static_cast<std::int64_t>(batch.children.size());
    out->children = batch.children.data();
    out->release = [](ArrowArray* a) { a->release = nullptr; };
    return 0;
  }

  FuzzedDataProvider& bytes_;
  const std::string rows_format_ = "+s";
  std::vector<std::unique_ptr<Column>> columns_;
  std::vector<ArrowSchema*> children_;
  std::vector<Batch> batches_;
  std::size_t next_ = 0;
};

}  // namespace scfe::fuzz
