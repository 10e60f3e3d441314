// The k nearest among many rows: cells in the order of their centres' distance, nearest first.
//
// A search ends where no cell left can hold a nearer row (its centre's distance less its radius, by the
// triangle inequality), or after `cells_opened` cells. That number is chosen when the index is made: rows are
// held out, their exact neighbours found by brute force, and the fewest cells taken for which the mean
// distance to the neighbours is off by less than half a percent on average; error() says how much it was on
// other rows.
//
// Once k rows are found, a first look at four bits a number (plausibility/coarse_rows.h) tells which rows of
// a cell may be nearer than these, some of a hundred. They alone are read and measured, so distances of the
// rows that are found are right to float precision.
#pragma once

#include <cstdint>
#include <vector>

#include "kernel/listed.h"
#include "plausibility/index/coarse_rows.h"
#include "plausibility/index/nearest.h"
#include "plausibility/index/row_cells.h"
#include "support/bytes.h"
#include "support/cache_lines.h"

namespace scfe {

class NearIndex {
 public:
  // Made for about `neighbours` neighbours; fewer are found as well.
  NearIndex(const Matrix& rows, std::size_t neighbours, Metric metric, std::uint64_t seed);

  std::size_t rows() const { return cells_.order.size(); }
  std::size_t features() const { return features_; }
  double error() const { return error_; }

  // As nearest() of plausibility/nearest.h.
  std::vector<Neighbour> nearest(std::span<const double> x, std::size_t count,
                                 std::size_t skip = no_row) const;
  float coordinate(std::size_t row, std::size_t feature) const;

  void save(ByteWriter& out) const;
  static NearIndex load(ByteReader& in);

 private:
  class Search;
  // Packed for the kernels, [group][feature][16].
  struct Centres {
    std::size_t features = 0;
    LineList<float> values = {};
    std::vector<float> no_weights = {};  // 0, and that nothing is there
    std::size_t places() const { return no_weights.size(); }
    std::size_t groups() const { return places() / 16; }
    kernel::Packed packed(std::size_t first_group, std::size_t groups) const;
    void set(std::size_t place, std::span<const float> centre);
  };
  NearIndex(std::size_t features, Metric metric);
  // What follows from the cells and their rows.
  void complete();
  std::vector<float> centre_of(std::size_t first_place, std::size_t last_place) const;
  float radius_of(std::size_t cell, const std::vector<float>& centre) const;
  void coarsen();
  kernel::PlainRows plain() const;
  // Of the first look, for rows as far apart as that.
  float coarse_reach(std::size_t section, float apart) const;
  void calibrate(const Matrix& rows, std::size_t neighbours, std::uint64_t seed);
  double mean_error(const Matrix& rows, std::span<const std::size_t> which, std::span<const double> exact,
                    std::size_t neighbours) const;

  std::size_t features_, width_, cells_opened_ = 0;
  Metric metric_;
  double error_ = 0;
  RowCells cells_;
  LineList<float> values_;                     // [place][width], places in the order of the cells
  CoarseRows coarse_;                          // likewise
  Centres of_sections_, of_cells_;             // the cells of each section in groups of their own
  std::vector<std::uint32_t> section_groups_;  // first group of each section's cells, and the end
  std::vector<float> radii_;
  float widest_ = 0;                         // of the radii
  std::vector<std::uint32_t> first_places_;  // of each cell, and the end
  std::vector<std::uint32_t> section_of_;    // each cell
  std::vector<std::uint32_t> places_;        // of each row
};

// Rows from which an index pays.
inline constexpr std::size_t most_scanned_rows = 20000;

}  // namespace scfe
