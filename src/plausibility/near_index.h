// The k nearest among many rows: cells in the order of their centres' distance, nearest first.
//
// A search ends where no cell left can hold a nearer row (its centre's distance less its radius, by the
// triangle inequality: the answer is then exact), or after `cells_opened` cells. That number is chosen when
// the index is made: rows are held out, their exact neighbours found by brute force, and the fewest cells
// taken for which the mean distance to the neighbours is off by less than half a percent on average; error()
// says how much it was on other rows. Distances of the rows that are found are right to float precision.
#pragma once

#include <cstdint>
#include <vector>

#include "plausibility/nearest.h"
#include "plausibility/row_cells.h"
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
  NearIndex() = default;
  void pack(const std::vector<float>& rows);
  void complete();
  void calibrate(const Matrix& rows, std::size_t neighbours, std::uint64_t seed);
  double mean_error(const Matrix& rows, std::span<const std::size_t> which, std::span<const double> exact,
                    std::size_t neighbours) const;

  std::size_t features_ = 0, cells_opened_ = 0;
  Metric metric_ = Metric::euclidean;
  double error_ = 0;
  RowCells cells_;
  std::vector<float> values_;      // [group][feature][16]
  LineList<float> centres_;        // of the cells, likewise
  std::vector<float> no_weights_;  // of the centres: 0, and that no cell is there
  std::vector<float> radii_;
  float widest_ = 0;                                    // of the radii
  std::vector<std::size_t> first_rows_, first_groups_;  // of each cell, and the end
  std::vector<std::uint32_t> places_;                   // of each row, among the places of the groups
};

// Rows from which an index pays.
inline constexpr std::size_t most_scanned_rows = 20000;

}  // namespace scfe
