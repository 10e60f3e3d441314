// Rows sorted into cells of near rows, and cells into sections. k-means runs twice: it splits all rows into
// about sqrt(rows / 256) sections, then each section into cells of about 256 rows.
//
// Lloyd's rounds use a sample of the rows; then every row joins its nearest centre. A cell has at most 512
// rows, so many copies of a row are spread over several cells. The cost is n sqrt(n) d / 16.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernels.h"

namespace scfe {

inline constexpr std::size_t most_cell_rows = 512;

struct RowCells {
  std::vector<std::uint32_t> order;     // row indices, cell by cell
  std::vector<std::uint32_t> sizes;     // rows of each cell
  std::vector<std::uint32_t> sections;  // cells of each section
};

RowCells sort_into_cells(const std::vector<float>& rows, std::size_t features,
                         const kernel::Kernels& kernels);

}  // namespace scfe
