// A catalogue is a span of rows with a name. One way to look a row up, one way to say it is not there.
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
