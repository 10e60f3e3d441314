// Ids that name more than one row of a query: whoever joins answers by them mixes the rows up. Said once.
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
  std::unordered_map<std::string, std::size_t> rows_;  // of the first ids: memory must not grow with the file
  std::optional<Twice> twice_;
};

}  // namespace scfe::cli
