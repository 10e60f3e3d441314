// Rows sorted into cells of neighbours, and cells into sections: k-means twice, first of all rows into about
// sqrt(rows / 256) sections, then of each section into cells of about 256 rows.
//
// Lloyd's rounds see a sample of each k-means' rows; then every row joins its nearest centre. A cell has at
// most 512 rows: many copies of a row are cut into several. Costs n sqrt(n) d / 16.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/kernels.h"

namespace scfe {

inline constexpr std::size_t most_cell_rows = 512;

struct RowCells {
  std::vector<std::uint32_t> order;     // of the rows, cell by cell
  std::vector<std::uint32_t> sizes;     // of each cell, in rows
  std::vector<std::uint32_t> sections;  // of each section, in cells
};

RowCells sort_into_cells(const std::vector<float>& rows, std::size_t features,
                         const kernel::Kernels& kernels);

}  // namespace scfe
