// The layouts are those of the Arrow C data interface:
// https://arrow.apache.org/docs/format/CDataInterface.html. Every number becomes a double as it is; whole
// numbers beyond 2^53, which a double cannot hold, become texts (ids).
#include "c_api/arrow_in.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "c_api/handles.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t largest_whole = std::int64_t{1} << 53;

// Releases a struct of the interface at the end of a scope.
template <class Struct>
struct Released {
  Struct value{};
  Released() = default;
  Released(Released&& other) noexcept : value(std::exchange(other.value, Struct{})) {}
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
  Released& operator=(Released&&) = delete;
  ~Released() {
    if (value.release != nullptr) value.release(&value);
  }
};

struct ReleaseStream {
  ArrowArrayStream* stream;
  ~ReleaseStream() {
    if (stream->release != nullptr) stream->release(stream);
  }
};

bool bit(const void* bits, std::int64_t place) {
  return ((static_cast<const std::uint8_t*>(bits)[place >> 3] >> (place & 7)) & 1) != 0;
}

// Some rows of an array: `first` counts from the start of its buffers. How long the buffers are only the
// caller knows; that they are there, and that their offsets are in order, is checked here.
struct Span {
  const ArrowArray& array;
  std::int64_t first, count;

  // Throws Error unless the array has the buffers of its format, and its rows a place in them.
  void check(const std::string& format, const std::string& column) const {
    const bool texts = format == "u" || format == "U";
    const std::int64_t buffers = format == "n" ? 0 : texts ? 3 : 2;
    if (count < 0 || first < 0 || array.offset < 0)
      throw Error(column, "a length and an offset of at least 0",
                  std::to_string(std::min({count, first, array.offset})));
    const bool there = array.n_buffers >= buffers && (buffers == 0 || array.buffers != nullptr) &&
                       (buffers == 0 || count == 0 || array.buffers[1] != nullptr);
    if (!there) throw Error(column, std::to_string(buffers) + " buffers", "fewer, or NULL");
    if (format == "u") check_offsets<std::int32_t>(column);
    if (format == "U") check_offsets<std::int64_t>(column);
  }

  bool valid(std::int64_t row) const {
    return array.n_buffers == 0 || array.buffers[0] == nullptr || bit(array.buffers[0], first + row);
  }
  template <class Value>
  Value at(std::int64_t row) const {
    return static_cast<const Value*>(array.buffers[1])[first + row];
  }

 private:
  template <class Offset>
  void check_offsets(const std::string& column) const {
    if (count == 0) return;
    const auto* offset = static_cast<const Offset*>(array.buffers[1]) + first;
    if (offset[0] < 0 || !std::is_sorted(offset, offset + count + 1))
      throw Error(column, "offsets of texts in order", "some that fall");
    if (offset[count] > 0 && array.buffers[2] == nullptr)
      throw Error(column, "the bytes of its texts", "NULL");
  }
};

double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? missing : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double number_at(char format, const Span& span, std::int64_t row) {
  switch (format) {
    case 'g':
      return span.at<double>(row);
    case 'f':
      return static_cast<double>(span.at<float>(row));
    case 'e':
      return half_to_double(span.at<std::uint16_t>(row));
    case 'b':
      return bit(span.array.buffers[1], span.first + row) ? 1 : 0;
    case 'c':
      return span.at<std::int8_t>(row);
    case 'C':
      return span.at<std::uint8_t>(row);
    case 's':
      return span.at<std::int16_t>(row);
    case 'S':
      return span.at<std::uint16_t>(row);
    case 'i':
      return span.at<std::int32_t>(row);
    case 'I':
      return span.at<std::uint32_t>(row);
    default:
      return missing;
  }
}

std::int64_t code_at(char format, const Span& span, std::int64_t row) {
  if (format == 'l') return span.at<std::int64_t>(row);
  if (format == 'L') return static_cast<std::int64_t>(span.at<std::uint64_t>(row));
  return static_cast<std::int64_t>(number_at(format, span, row));
}

std::string_view text_at(char format, const Span& span, std::int64_t row) {
  const auto* bytes = static_cast<const char*>(span.array.buffers[2]);
  const std::int64_t place = span.first + row;
  const auto part = [&](const auto* offsets) {
    const auto size = static_cast<std::size_t>(offsets[place + 1] - offsets[place]);
    return size == 0 ? std::string_view() : std::string_view(bytes + offsets[place], size);
  };
  if (format == 'u') return part(static_cast<const std::int32_t*>(span.array.buffers[1]));
  return part(static_cast<const std::int64_t*>(span.array.buffers[1]));
}

const char* text_or_empty(const char* text) { return text == nullptr ? "" : text; }

// Collects one column over the batches of a stream.
class ColumnReader {
 public:
  // `as_texts`: whole numbers that no double holds are texts, and so is every other number of their column.
  ColumnReader(const ArrowSchema& schema, const std::string& source, bool as_texts = false)
      : as_texts_(as_texts), format_(text_or_empty(schema.format)), name_(text_or_empty(schema.name)) {
    const std::string values =
        schema.dictionary == nullptr ? format_ : std::string(text_or_empty(schema.dictionary->format));
    dictionary_format_ = schema.dictionary == nullptr ? "" : values;
    if (values.size() != 1 || std::string_view("gfebcCsSiIlLuUn").find(values[0]) == std::string_view::npos)
      throw Error(source + ": column '" + name_ + "'", "numbers, booleans, texts or categories",
                  values.starts_with('t') ? "dates or times (give the part that counts as a number)"
                                          : "the Arrow type '" + values + "'");
    column_.is_category = schema.dictionary != nullptr;
    if (column_.is_category &&
        (format_.size() != 1 || std::string_view("cCsSiIlL").find(format_[0]) == std::string_view::npos))
      throw Error(source + ": column '" + name_ + "'", "whole numbers as codes of its dictionary",
                  "the Arrow type '" + format_ + "'");
    column_.is_ordered = column_.is_category && (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0;
    column_.has_texts = column_.is_category || as_texts || format_ == "u" || format_ == "U";
    if (format_ == "f" || format_ == "e") column_.written_as = TypedColumn::Numbers::floats;
    if (format_ == "b") column_.written_as = TypedColumn::Numbers::booleans;
  }

  const std::string& name() const { return name_; }

  // Refuses arrays that contradict themselves, before a value of them is read.
  void check(const Span& span) const { span.check(format_, "column '" + name_ + "'"); }

  // True if a number of the column is too large for a double.
  bool has_large(const Span& span) const {
    if (column_.is_category || (format_ != "l" && format_ != "L")) return false;
    const auto large = [&](std::int64_t row) {
      if (format_ == "L") return span.at<std::uint64_t>(row) > static_cast<std::uint64_t>(largest_whole);
      return span.at<std::int64_t>(row) > largest_whole || span.at<std::int64_t>(row) < -largest_whole;
    };
    for (std::int64_t row = 0; row < span.count; ++row)
      if (span.valid(row) && large(row)) return true;
    return false;
  }

  void reserve(std::size_t rows) {
    if (column_.has_texts)
      column_.codes.reserve(rows);
    else
      column_.numbers.reserve(rows);
  }

  void add(const Span& span) {
    if (column_.is_category)
      add_codes(span);
    else if (as_texts_)
      for (std::int64_t row = 0; row < span.count; ++row)
        column_.codes.push_back(span.valid(row) ? code_of(whole_text(code_at(format_[0], span, row))) : -1);
    else if (column_.has_texts)
      for (std::int64_t row = 0; row < span.count; ++row)
        column_.codes.push_back(span.valid(row) ? code_of(text_at(format_[0], span, row)) : -1);
    else if (format_ == "l" || format_ == "L")
      add_whole(span);
    else
      for (std::int64_t row = 0; row < span.count; ++row)
        column_.numbers.push_back(format_ != "n" && span.valid(row) ? number_at(format_[0], span, row)
                                                                    : missing);
  }

  TypedColumn finish() {
    column_.texts = std::make_shared<const std::vector<std::string>>(std::move(texts_));
    return std::move(column_);
  }

 private:
  std::int32_t code_of(std::string_view text) {
    const auto [found, is_new] =
        places_.try_emplace(std::string(text), static_cast<std::int32_t>(texts_.size()));
    if (is_new) texts_.emplace_back(text);
    return found->second;
  }

  void add_codes(const Span& span) {
    if (span.array.dictionary == nullptr) throw Error("column '" + name_ + "'", "a dictionary", "none");
    const ArrowArray& levels = *span.array.dictionary;
    const Span names{levels, levels.offset, levels.length};
    names.check(dictionary_format_, "column '" + name_ + "': dictionary");
    std::vector<std::int32_t> place;  // of each level of this batch
    for (std::int64_t level = 0; level < levels.length; ++level)
      place.push_back(names.valid(level) ? code_of(level_text(names, level)) : -1);
    for (std::int64_t row = 0; row < span.count; ++row) {
      const std::int64_t code = span.valid(row) ? code_at(format_[0], span, row) : -1;
      if (code >= levels.length)
        throw Error("column '" + name_ + "'", "codes below " + std::to_string(levels.length),
                    std::to_string(code));
      column_.codes.push_back(code < 0 ? -1 : place[static_cast<std::size_t>(code)]);
    }
  }

  std::string level_text(const Span& names, std::int64_t level) const {
    const char format = dictionary_format_[0];
    if (format == 'u' || format == 'U') return std::string(text_at(format, names, level));
    if (format == 'l' || format == 'L') return std::to_string(code_at(format, names, level));
    if (format == 'b') return number_at(format, names, level) == 0 ? "False" : "True";
    return number_text(number_at(format, names, level));
  }

  void add_whole(const Span& span) {
    for (std::int64_t row = 0; row < span.count; ++row)
      column_.numbers.push_back(span.valid(row) ? static_cast<double>(code_at(format_[0], span, row))
                                                : missing);
  }

  std::string whole_text(std::int64_t value) const {
    return format_ == "L" ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
  }

  bool as_texts_;
  std::string format_, name_, dictionary_format_;
  TypedColumn column_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::int32_t> places_;
};

void require(int code, ArrowArrayStream* stream, const std::string& source) {
  if (code == 0) return;
  const char* text = stream->get_last_error(stream);
  throw Error(source, "a stream of rows", text == nullptr ? "error " + std::to_string(code) : text);
}

}  // namespace

struct ArrowRows::State {
  std::string source;
  Released<ArrowSchema> schema;
  std::vector<Released<ArrowArray>> batches;
  std::vector<std::size_t> ends;  // rows up to the end of each batch
  std::vector<bool> as_texts;     // of each column (ColumnReader)

  std::size_t columns() const { return static_cast<std::size_t>(schema.value.n_children); }
  const ArrowSchema& column(std::size_t place) const { return *schema.value.children[place]; }

  static Span part(const ArrowArray& batch, std::size_t column, std::int64_t first, std::int64_t count) {
    const ArrowArray& child = *batch.children[column];
    return {child, child.offset + batch.offset + first, count};
  }
};

ArrowRows::ArrowRows(ArrowArrayStream* stream, std::string source) : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.source = std::move(source);
  if (stream == nullptr || stream->release == nullptr) throw Error(s.source, "an Arrow stream", "none");
  const ReleaseStream release{stream};
  require(stream->get_schema(stream, &s.schema.value), stream, s.source);
  if (std::strcmp(text_or_empty(s.schema.value.format), "+s") != 0)
    throw Error(s.source, "rows of columns", text_or_empty(s.schema.value.format));
  std::vector<ColumnReader> readers;
  for (std::size_t i = 0; i < s.columns(); ++i) {
    readers.emplace_back(s.column(i), s.source);
    for (std::size_t k = 0; k < i; ++k)
      if (readers[k].name() == readers.back().name())
        throw Error(s.source, "each column once", "'" + readers.back().name() + "' twice");
  }
  s.as_texts.resize(s.columns());
  while (true) {
    Released<ArrowArray> batch;
    require(stream->get_next(stream, &batch.value), stream, s.source);
    if (batch.value.release == nullptr) break;
    if (batch.value.n_children != s.schema.value.n_children)
      throw Error(s.source, std::to_string(readers.size()) + " columns",
                  std::to_string(batch.value.n_children));
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (batch.value.children[i] == nullptr)
        throw Error(s.source + ": column '" + readers[i].name() + "'", "an array", "NULL");
      const Span span = State::part(batch.value, i, 0, batch.value.length);
      readers[i].check(span);
      if (readers[i].has_large(span)) s.as_texts[i] = true;
    }
    s.ends.push_back(rows() + static_cast<std::size_t>(batch.value.length));
    s.batches.push_back(std::move(batch));
  }
}

ArrowRows::~ArrowRows() = default;
ArrowRows::ArrowRows(ArrowRows&&) noexcept = default;
ArrowRows& ArrowRows::operator=(ArrowRows&&) noexcept = default;

std::size_t ArrowRows::rows() const { return state_->ends.empty() ? 0 : state_->ends.back(); }

Table ArrowRows::slice(std::size_t first, std::size_t count) const {
  const State& s = *state_;
  std::vector<ColumnReader> readers;
  for (std::size_t i = 0; i < s.columns(); ++i)
    readers.emplace_back(s.column(i), s.source, s.as_texts[i]).reserve(count);
  for (std::size_t b = 0; b < s.batches.size(); ++b) {
    const std::size_t begin = b == 0 ? 0 : s.ends[b - 1];
    const std::size_t from = std::max(first, begin), to = std::min(first + count, s.ends[b]);
    if (from >= to) continue;
    for (std::size_t i = 0; i < readers.size(); ++i)
      readers[i].add(State::part(s.batches[b].value, i, static_cast<std::int64_t>(from - begin),
                                 static_cast<std::int64_t>(to - from)));
  }
  Table table;
  table.source = s.source;
  table.first_row = 1 + first;
  for (ColumnReader& reader : readers) {
    std::string name = reader.name();
    table.add_column(std::move(name), reader.finish());
  }
  return table;
}

Table read_stream(ArrowArrayStream* stream, const std::string& source) {
  const ArrowRows rows(stream, source);
  return rows.slice(0, rows.rows());
}

}  // namespace scfe::app
