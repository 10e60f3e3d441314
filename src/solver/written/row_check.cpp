#include "solver/written/row_check.h"

#include <algorithm>

namespace scfe {

RowCheck::RowCheck(const Query& query, std::size_t lanes)
    : space_(query.fitted.space),
      terms_(query, lanes),
      u_(terms_.columns(), lanes),
      x_(space_.inputs(), lanes),
      anchors_(terms_.columns(), lanes),
      row_(space_) {}

std::vector<Checked> RowCheck::operator()(std::span<const Row* const> of,
                                          const std::vector<std::vector<double>>& rows) {
  std::vector<Checked> checked;
  for (std::size_t first = 0; first < rows.size(); first += terms_.max_lanes()) {
    const std::size_t count = std::min(terms_.max_lanes(), rows.size() - first);
    evaluate(of.subspan(first, count), std::span(rows).subspan(first, count), true);
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::optional<double>& floor = of[first + lane]->floor;
      const float log_density = terms_.log_density()[lane];
      checked.push_back({terms_.margins()[0][lane], log_density, !floor || log_density >= *floor});
    }
  }
  return checked;
}

std::vector<float> RowCheck::margins(const Row& of, const std::vector<std::vector<double>>& rows) {
  std::vector<float> margins;
  for (std::size_t first = 0; first < rows.size(); first += terms_.max_lanes()) {
    const std::size_t count = std::min(terms_.max_lanes(), rows.size() - first);
    evaluate(std::vector<const Row*>(count, &of), std::span(rows).subspan(first, count), false);
    margins.insert(margins.end(), terms_.margins()[0], terms_.margins()[0] + count);
  }
  return margins;
}

void RowCheck::evaluate(std::span<const Row* const> of, std::span<const std::vector<double>> rows,
                        bool density) {
  for (Block* block : {&u_, &x_, &anchors_}) block->set_lanes(rows.size());
  for (std::size_t lane = 0; lane < rows.size(); ++lane) load(lane, *of[lane], rows[lane]);
  terms_.evaluate(u_, x_, anchors_, {0, density, false});
}

void RowCheck::load(std::size_t lane, const Row& asked, const std::vector<double>& row) {
  row_.set(space_, row);
  terms_.set_values(lane, row);
  for (std::size_t i = 0; i < row_.inputs.size(); ++i) x_[i][lane] = row_.inputs[i];
  for (std::size_t j = 0; j < row_.columns.size(); ++j) {
    u_[j][lane] = row_.columns[j];
    anchors_[j][lane] = asked.anchor[j];
  }
}

}  // namespace scfe
