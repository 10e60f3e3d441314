// Many rows in cells, so that a sum over all of them looks into few.
//
//     sum_i exp(-1/2 |y - y_i|²)  ~  sum over the rows of near cells
//           + f sum over the other cells of count_c prod_j N(y_j; mean_cj, 1 + 0.7 var_cj) / N(0; 0, 1)
//
// Coordinates are in units of the kernel's width. A cell of about 256 rows that is not opened stands for them
// as one Gaussian with their mean and most of their variances, widened by the kernel. Barnes and Hut (1986),
// for a kernel that falls off. A cell is opened where its share in the sum is above `share`: decided for each
// point alone, so the result depends on nothing but the point, and what changes as a cell opens or closes is
// of the size of that share. Outlying points open at least eight. Cells come in sections
// (plausibility/row_cells.h), which are first asked the same.
//
// Of the rows in open cells some hundred in twenty thousand count. A first look finds them: all rows are kept
// in four bits a number (plausibility/coarse_rows.h). Those within reach are summed one by one
// (kernel/listed.h), from bfloat16 about the mean of their cell: half the memory to read, and an error of a
// thousandth of the kernel's width.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernels.h"
#include "kernel/listed.h"
#include "plausibility/index/coarse_rows.h"
#include "plausibility/index/row_cells.h"
#include "support/bytes.h"
#include "support/cache_lines.h"

namespace scfe {

class RowTree {
 public:
  struct Effort {
    float share = 1e-3F;  // up to which a cell stays closed, for a sum of e^level
    float closed = 1;     // f
    // Where few rows are near, one in a closed cell counts for more: the share goes with e^(tilt log sum).
    float tilt = 0, level = 0;
    float log_share(float log_sum) const;
  };
  struct Sum {
    float log_total = 0;        // of the sum
    float log_open = 0;         // of its part in opened cells
    float log_promised = 0;     // of what the Gaussians alone say
    std::size_t looked_at = 0;  // rows of opened cells and Gaussians of others
    std::size_t summed = 0;     // of these rows, one by one
  };

  // rows x features, in units of the kernel's width.
  RowTree(const std::vector<float>& rows, std::size_t features, const kernel::Kernels& kernels);

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_; }
  std::size_t scratch(std::size_t queries) const;  // floats

  struct Query {
    const float* y;   // features() numbers
    float* gradient;  // of log_total, or null
    Sum found = {};
  };
  static constexpr std::size_t most_queries = 16;
  // Each result depends on its point alone. Points near each other share the way to memory: a cell that
  // several of them open is summed for one after the other.
  void sums(std::span<Query> queries, Effort effort, float* scratch) const;

  void save(ByteWriter& out) const;
  static RowTree load(ByteReader& in, const kernel::Kernels& kernels);

 private:
  // Gaussians packed for the kernels.
  struct Gaussians {
    LineList<float> centres, inverse_stds, log_weights;
    std::size_t groups() const { return log_weights.size() / 16; }
    kernel::Packed packed(std::size_t features, std::size_t first_group, std::size_t groups) const;
  };
  struct Scratch;
  struct Lane;
  struct Shared;
  RowTree(std::size_t features, const kernel::Kernels& kernels)
      : features_(features), width_(kernel::listed_width(features)), kernels_(&kernels) {}
  void pack_cell(const std::vector<float>& rows, const std::uint32_t* numbers, std::size_t size);
  // What follows from the halves: Gaussians, levels, where cells and sections begin.
  void complete();
  void add_gaussian(std::size_t first_cell, std::size_t last_cell, Gaussians& to) const;
  // From the mean of its cell.
  float coordinate(std::size_t row, std::size_t feature) const;
  void coarsen_section(std::size_t section);
  void fetch(std::size_t cell) const;
  // Exponents of all sections and of the cells of those worth a look; then what cells must have to be opened.
  void survey(std::span<Lane> lanes, Effort effort) const;
  float few_nearest(const Lane& lane) const;
  void sum_section(std::size_t section, std::span<Lane> lanes, Shared shared) const;
  void sum_cells(std::size_t section, std::span<Lane> lanes, Shared shared) const;
  void look_into(std::size_t cell, std::uint32_t opened_by, std::span<Lane> lanes, Shared shared) const;
  void list_rows(std::size_t cell, std::span<const std::uint32_t> near, Lane& lane, Shared shared) const;
  void sum_listed(Lane& lane, Shared shared) const;
  void sum_sections(std::span<Lane> lanes, Effort effort, Shared shared) const;
  void look_again(Lane& lane, Effort effort, Shared shared) const;
  void finish(Lane& lane, Effort effort) const;

  std::size_t rows_ = 0, features_, width_;
  std::vector<std::uint32_t> sizes_, sections_;  // as in RowCells
  LineList<float> origins_;                      // the mean of each cell, [cell][width]
  LineList<std::uint16_t> halves_;               // the rows less that, [row][width]
  CoarseRows coarse_;                            // the rows, for a first look
  std::vector<std::size_t> first_rows_;          // of each cell, and the end
  std::vector<std::size_t> section_cells_;       // first cell of each section, and the end
  std::vector<std::size_t> section_groups_;      // likewise among the cells' Gaussians
  std::size_t largest_section_ = 0;              // in cells
  Gaussians of_sections_, of_cells_;
  const kernel::Kernels* kernels_;
};

}  // namespace scfe
