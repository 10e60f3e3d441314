// Approximate kernel sums over many rows that read only few of them.
//
//     sum_i exp(-1/2 |y - y_i|²)  ~  sum over the rows of near cells
//           + f sum over the other cells of count_c prod_j N(y_j; mean_cj, 1 + 0.7 var_cj) / N(0; 0, 1)
//
// Coordinates are in units of the kernel's width. Rows are grouped in cells of about 256. A closed cell is
// replaced by one Gaussian with its mean and most of its variance, widened by the kernel (after Barnes and
// Hut 1986). A cell is opened if its share of the sum exceeds `share`. This is decided for each point alone,
// so results do not depend on other points; where a cell opens or closes, the sum jumps by a fraction of that
// share. Outlying points open at least eight cells. Cells are grouped in sections
// (plausibility/index/row_cells.h), which are tested first in the same way.
//
// Of 20,000 rows in open cells only about a hundred matter. A filter on four bits per number
// (plausibility/index/coarse_rows.h) finds them. They are summed one by one (kernel/listed.h) from bfloat16
// offsets to the mean of their cell: half the memory traffic, and an error of 1/1000 of the kernel's width.
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
    float share = 1e-3F;  // cells with a smaller share stay closed, if the sum is e^level
    float closed = 1;     // the factor f
    // With few near rows, closed cells matter more: `share` is scaled by e^(tilt (log sum - level)), where
    // level is the log sum of a typical row and tilt says how fast the share shrinks below it.
    float tilt = 0, level = 0;
    float log_share(float log_sum) const;
  };
  struct Sum {
    float log_total = 0;        // log of the sum
    float log_open = 0;         // log of the part from opened cells
    float log_estimate = 0;     // log of the sum if all cells stayed closed
    std::size_t looked_at = 0;  // rows of opened cells plus Gaussians of closed ones
    std::size_t summed = 0;     // rows that passed the filter and were summed one by one
  };

  // rows x features, in units of the kernel's width.
  RowTree(const std::vector<float>& rows, std::size_t features, const kernel::Kernels& kernels);

  std::size_t rows() const { return rows_; }
  std::size_t features() const { return features_; }
  std::size_t scratch(std::size_t queries) const;  // in floats

  struct Query {
    const float* y;   // features() numbers
    float* gradient;  // gradient of log_total; may be null
    Sum found = {};
  };
  static constexpr std::size_t most_queries = 16;
  // Each result depends on its own point only. Points near each other share cache loads.
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
  // Computes the members that follow from the rows: Gaussians, levels, first cells and rows.
  void complete();
  void add_gaussian(std::size_t first_cell, std::size_t last_cell, Gaussians& to) const;
  // Relative to the mean of the row's cell.
  float coordinate(std::size_t row, std::size_t feature) const;
  void coarsen_section(std::size_t section);
  void fetch(std::size_t cell) const;
  // Computes the exponents of all sections and of the cells of open sections, then the thresholds for cells.
  void survey(std::span<Lane> lanes, Effort effort) const;
  float outlying_threshold(const Lane& lane) const;
  void sum_section(std::size_t section, std::span<Lane> lanes, Shared shared) const;
  void sum_cells(std::size_t section, std::span<Lane> lanes, Shared shared) const;
  void filter_cell(std::size_t cell, std::uint32_t opened_by, std::span<Lane> lanes, Shared shared) const;
  void list_rows(std::size_t cell, std::span<const std::uint32_t> near, Lane& lane, Shared shared) const;
  void sum_listed(Lane& lane, Shared shared) const;
  void sum_sections(std::span<Lane> lanes, Effort effort, Shared shared) const;
  void repeat_if_short(Lane& lane, Effort effort, Shared shared) const;
  void finish(Lane& lane, Effort effort) const;

  std::size_t rows_ = 0, features_, width_;
  std::vector<std::uint32_t> sizes_, sections_;  // as in RowCells
  LineList<float> origins_;                      // the mean of each cell, [cell][width]
  LineList<std::uint16_t> halves_;          // the rows minus the mean of their cell in bfloat16, [row][width]
  CoarseRows coarse_;                       // the same rows in four bits per number, for the filter
  std::vector<std::size_t> first_rows_;     // of each cell, plus one past the last
  std::vector<std::size_t> section_cells_;  // first cell of each section, plus one past the last
  std::vector<std::size_t> section_groups_;  // first group of each section's cells; one past the last
  std::size_t largest_section_ = 0;          // number of cells in the largest section
  Gaussians of_sections_, of_cells_;
  const kernel::Kernels* kernels_;
};

}  // namespace scfe
