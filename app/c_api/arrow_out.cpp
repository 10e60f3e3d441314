#include "c_api/arrow_out.h"

#include <cerrno>
#include <cstring>
#include <limits>

#include "c_api/handles.h"

namespace scfe::app {

template <class Value>
void OutColumn::append(Value value) {
  const std::size_t at = values_.size();
  values_.resize(at + sizeof value);
  std::memcpy(values_.data() + at, &value, sizeof value);
}

void OutColumn::count(bool valid) {
  const auto place = static_cast<std::size_t>(length_);
  if (place % 8 == 0) validity_.push_back(0);
  if (valid) validity_.back() = static_cast<std::uint8_t>(validity_.back() | (1U << (place % 8)));
  missing_ += valid ? 0 : 1;
  ++length_;
}

OutColumn OutColumn::choice(std::string name, std::span<const std::string> levels) {
  OutColumn column(std::move(name), "i");
  column.dictionary_ = std::make_shared<OutColumn>(texts(""));
  for (const std::string& level : levels) column.dictionary_->add_text(level);
  return column;
}

OutColumn OutColumn::structs(std::string name, std::vector<OutColumn> children) {
  OutColumn column(std::move(name), "+s");
  column.children_ = std::move(children);
  return column;
}

OutColumn OutColumn::lists(std::string name, std::vector<OutColumn> children) {
  OutColumn column(std::move(name), "+l");
  column.list_ = true;
  column.children_.push_back(structs("item", std::move(children)));
  column.append(std::int32_t{0});
  return column;
}

void OutColumn::add(double value) {
  append(value);
  count(true);
}

void OutColumn::add_whole(std::int64_t value) {
  append(value);
  count(true);
}

void OutColumn::add_flag(bool value) {
  if (length_ % 8 == 0) values_.push_back(0);
  if (value) values_.back() = static_cast<std::uint8_t>(values_.back() | (1U << (length_ % 8)));
  count(true);
}

void OutColumn::add_text(std::string_view value) {
  if (values_.empty()) append(std::int32_t{0});
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  if (bytes_.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw Error("answers: column '" + name_ + "'", "at most 2 GB of text (fewer rows in one call)", "more");
  append(static_cast<std::int32_t>(bytes_.size()));
  count(true);
}

void OutColumn::add_choice(std::size_t place) {
  append(static_cast<std::int32_t>(place));
  count(true);
}

void OutColumn::add_missing() {
  if (format_ == "g")
    append(std::numeric_limits<double>::quiet_NaN());
  else if (format_ == "i")
    append(std::int32_t{-1});
  else
    append(std::int64_t{0});
  count(false);
}

void OutColumn::end_struct(bool valid) { count(valid); }

void OutColumn::end_list() {
  append(static_cast<std::int32_t>(children_[0].length_));
  count(true);
}

// Structs of the interface that keep alive what they point to. Schema and array share the columns.
struct Exporting {
  using Shared = std::shared_ptr<OutColumn>;

  struct SchemaNode {
    Shared root;
    std::vector<ArrowSchema> children;
    std::vector<ArrowSchema*> pointers;
    ArrowSchema dictionary{};
  };
  struct ArrayNode {
    Shared root;
    std::vector<ArrowArray> children;
    std::vector<ArrowArray*> pointers;
    std::vector<const void*> buffers;
    ArrowArray dictionary{};
  };

  template <class Struct, class Node>
  static void release(Struct* given) {
    auto* node = static_cast<Node*>(given->private_data);
    for (Struct& child : node->children)
      if (child.release != nullptr) child.release(&child);
    if (node->dictionary.release != nullptr) node->dictionary.release(&node->dictionary);
    delete node;
    given->release = nullptr;
  }

  static void schema(const Shared& root, const OutColumn& column, ArrowSchema* out) {
    auto node = std::make_unique<SchemaNode>();
    node->root = root;
    node->children.resize(column.children_.size());
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      schema(root, column.children_[i], &node->children[i]);
      node->pointers.push_back(&node->children[i]);
    }
    if (column.dictionary_) schema(root, *column.dictionary_, &node->dictionary);
    *out = {column.format_.c_str(),
            column.name_.c_str(),
            nullptr,
            ARROW_FLAG_NULLABLE,
            static_cast<std::int64_t>(node->children.size()),
            node->pointers.data(),
            column.dictionary_ ? &node->dictionary : nullptr,
            release<ArrowSchema, SchemaNode>,
            nullptr};
    out->private_data = node.release();
  }

  static void array(const Shared& root, OutColumn& column, ArrowArray* out) {
    auto node = std::make_unique<ArrayNode>();
    node->root = root;
    node->children.resize(column.children_.size());
    for (std::size_t i = 0; i < node->children.size(); ++i) {
      array(root, column.children_[i], &node->children[i]);
      node->pointers.push_back(&node->children[i]);
    }
    if (column.dictionary_) array(root, *column.dictionary_, &node->dictionary);
    node->buffers.push_back(column.missing_ > 0 ? column.validity_.data() : nullptr);
    if (column.format_ == "u" && column.values_.empty()) column.append(std::int32_t{0});
    if (column.format_ != "+s") node->buffers.push_back(column.values_.data());
    if (column.format_ == "u") node->buffers.push_back(column.bytes_.data());
    *out = {column.length_,
            column.missing_,
            0,
            static_cast<std::int64_t>(node->buffers.size()),
            static_cast<std::int64_t>(node->children.size()),
            node->buffers.data(),
            node->pointers.data(),
            column.dictionary_ ? &node->dictionary : nullptr,
            release<ArrowArray, ArrayNode>,
            nullptr};
    out->private_data = node.release();
  }

  struct Stream {
    Shared table;
    bool given = false;
    std::string error;
  };

  template <class Work>
  static int attempt(ArrowArrayStream* stream, const Work& work) noexcept {
    auto* own = static_cast<Stream*>(stream->private_data);
    try {
      work(*own);
      return 0;
    } catch (...) {
      return ENOMEM;
    }
  }
};

void give_stream(OutColumn table, ArrowArrayStream* out) {
  auto own = std::make_unique<Exporting::Stream>();
  own->table = std::make_shared<OutColumn>(std::move(table));
  out->get_schema = [](ArrowArrayStream* stream, ArrowSchema* schema) {
    return Exporting::attempt(
        stream, [&](const Exporting::Stream& s) { Exporting::schema(s.table, *s.table, schema); });
  };
  out->get_next = [](ArrowArrayStream* stream, ArrowArray* array) {
    return Exporting::attempt(stream, [&](Exporting::Stream& s) {
      if (s.given)
        array->release = nullptr;
      else
        Exporting::array(s.table, *s.table, array);
      s.given = true;
    });
  };
  out->get_last_error = [](ArrowArrayStream*) -> const char* { return "not enough memory"; };
  out->release = [](ArrowArrayStream* stream) {
    delete static_cast<Exporting::Stream*>(stream->private_data);
    stream->release = nullptr;
  };
  out->private_data = own.release();
}

}  // namespace scfe::app
