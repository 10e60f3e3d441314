#include "cli/row_ids.h"

namespace scfe::cli {
namespace {

constexpr std::size_t most_ids = 100'000;

}  // namespace

void RowIds::look_at(const Table& table) {
  if (id_.empty() || twice_) return;
  const std::size_t column = table.column(id_);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string id(table.cell(row, column));
    const std::size_t place = table.first_row + row;
    const auto known = rows_.find(id);
    if (known != rows_.end()) {
      twice_ = {id, known->second, place};
      return rows_.clear();
    }
    if (rows_.size() < most_ids) rows_.emplace(id, place);
  }
}

std::vector<std::string> RowIds::warnings(const std::string& source) const {
  if (!twice_) return {};
  return {source + ": column '" + id_ + "': '" + twice_->id + "' names rows " +
          std::to_string(twice_->first) + " and " + std::to_string(twice_->again) +
          ": answers are told apart by their order alone"};
}

}  // namespace scfe::cli
