// Looks up a row of a catalogue (a span of named rows), with the same error for all unknown names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/text.h"

namespace scfe {

template <class Row>
const Row& find_row(std::span<const Row> rows, const char* field, std::string_view name) {
  std::vector<std::string> known;
  for (const Row& row : rows) {
    if (row.name == name) return row;
    known.emplace_back(row.name);
  }
  throw unknown_name("", field, name, known);
}

}  // namespace scfe
