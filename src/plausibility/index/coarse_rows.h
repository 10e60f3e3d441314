// Rows of cells in four bits a number, for a first look at them (kernel/coarse.h): sixteen levels for each
// feature of a section of cells, placed where the mean square is least (Lloyd (1957), Max (1960)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/coarse.h"
#include "kernel/kernels.h"
#include "support/cache_lines.h"

namespace scfe {

class CoarseRows {
 public:
  // Of each cell in rows and of each section in cells, as in RowCells.
  CoarseRows(std::size_t features, std::span<const std::uint32_t> sizes,
             std::span<const std::uint32_t> sections);
  CoarseRows() = default;

  std::size_t sections() const { return section_cells_.size() - 1; }
  // First row or cell of a section; the end for sections().
  std::size_t section_row(std::size_t section) const { return first_rows_[section_cells_[section]]; }
  std::size_t section_cell(std::size_t section) const { return section_cells_[section]; }

  // The values of a feature, for all rows of a section: once for each of both.
  void set(std::size_t section, std::size_t feature, std::span<const float> values);

  kernel::Coarse cell(std::size_t cell) const;
  void fetch(std::size_t cell) const;  // on its way from memory
  const float* levels(std::size_t section) const {
    return levels_.data() + section * features_ * kernel::coarse_levels;
  }
  // Mean |row - its levels|² in a section.
  float roughness(std::size_t section) const { return roughness_[section]; }

 private:
  std::size_t features_ = 0;
  std::vector<std::size_t> first_rows_, first_blocks_;  // of each cell, and the end
  std::vector<std::size_t> section_cells_;              // first cell of each section, and the end
  LineList<std::uint8_t> codes_;
  LineList<float> levels_;  // [section][feature][16]
  std::vector<float> roughness_;
};

}  // namespace scfe
