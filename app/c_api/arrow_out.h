// Columns that are built value by value and leave as an Arrow stream of one batch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/c_api.h"

namespace scfe::app {

// One column: numbers (g), whole numbers (i, l), booleans (b), texts (u), texts by code (dictionary), lists
// or structs. Members are filled by the functions of its type alone.
class OutColumn {
 public:
  static OutColumn numbers(std::string name) { return {std::move(name), "g"}; }
  static OutColumn whole(std::string name) { return {std::move(name), "l"}; }
  static OutColumn flags(std::string name) { return {std::move(name), "b"}; }
  static OutColumn texts(std::string name) { return {std::move(name), "u"}; }
  // Texts of a fixed list, by place.
  static OutColumn choice(std::string name, std::span<const std::string> levels);
  static OutColumn structs(std::string name, std::vector<OutColumn> children);
  static OutColumn lists(std::string name, std::vector<OutColumn> children);  // of structs

  void add(double value);
  void add_whole(std::int64_t value);
  void add_flag(bool value);
  void add_text(std::string_view value);
  void add_choice(std::size_t place);
  void add_missing();
  void end_struct(bool valid = true);  // after its children were added
  void end_list();                     // likewise, after any number of structs

  // A struct's columns, and those of a list's struct.
  OutColumn& child(std::size_t place) { return list_ ? children_[0].children_[place] : children_[place]; }
  OutColumn& items() { return children_[0]; }
  std::int64_t length() const { return length_; }

 private:
  friend struct Exporting;
  OutColumn(std::string name, std::string format) : name_(std::move(name)), format_(std::move(format)) {}
  void count(bool valid);
  template <class Value>
  void append(Value value);

  std::string name_, format_;
  bool list_ = false;
  std::int64_t length_ = 0, missing_ = 0;
  std::vector<std::uint8_t> validity_, values_, bytes_;  // bytes_: of texts; values_ then holds offsets
  std::vector<OutColumn> children_;
  std::shared_ptr<OutColumn> dictionary_;
};

// Gives the columns of a struct as a stream of one batch.
void give_stream(OutColumn table, ArrowArrayStream* out);

}  // namespace scfe::app
