// Rows rounded to four bits per number, as a cheap filter before exact distances (kernel/coarse.h). Each
// feature has sixteen levels per section of cells, placed for least squared error (Lloyd 1957, Max 1960).
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
  // sizes: rows of each cell; sections: cells of each section, as in RowCells.
  CoarseRows(std::size_t features, std::span<const std::uint32_t> sizes,
             std::span<const std::uint32_t> sections);
  CoarseRows() = default;

  std::size_t sections() const { return section_cells_.size() - 1; }
  // First row or cell of a section. Also defined for section == sections(): one past the last.
  std::size_t section_row(std::size_t section) const { return first_rows_[section_cells_[section]]; }
  std::size_t section_cell(std::size_t section) const { return section_cells_[section]; }

  // Sets one feature of all rows of a section. Call exactly once for each section and feature.
  void set(std::size_t section, std::size_t feature, std::span<const float> values);

  kernel::Coarse cell(std::size_t cell) const;
  void fetch(std::size_t cell) const;  // prefetches the cell into the cache
  const float* levels(std::size_t section) const {
    return levels_.data() + section * features_ * kernel::coarse_levels;
  }
  // Mean squared rounding error |row - rounded row|² in a section.
  float roughness(std::size_t section) const { return roughness_[section]; }

 private:
  std::size_t features_ = 0;
  std::vector<std::size_t> first_rows_, first_blocks_;  // of each cell, plus one past the last
  std::vector<std::size_t> section_cells_;              // first cell of each section, plus one past the last
  LineList<std::uint8_t> codes_;
  LineList<float> levels_;  // [section][feature][16]
  std::vector<float> roughness_;
};

}  // namespace scfe
