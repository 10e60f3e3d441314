// Warns once of an id that several rows have, because joining answers by id would mix those rows up.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "scfe/schema.h"

namespace scfe::cli {

class RowIds {
 public:
  explicit RowIds(const Schema& schema) : id_(schema.id) {}
  void look_at(const Table& table);
  std::vector<std::string> warnings(const std::string& source) const;

 private:
  struct Twice {
    std::string id;
    std::size_t first, again;  // rows of the file
  };
  std::string id_;
  std::unordered_map<std::string, std::size_t> rows_;  // of the first ids only, which bounds the memory
  std::optional<Twice> twice_;
};

}  // namespace scfe::cli
