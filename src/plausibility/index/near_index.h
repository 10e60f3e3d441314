// The k nearest of many rows. Rows are grouped in cells; those with the nearest centres are opened first.
//
// A search ends if no remaining cell can hold a nearer row (distance to the centre minus radius, by the
// triangle inequality), or after `cells_opened` cells. That number is chosen when the index is built: it is
// the smallest for which the mean distance to the neighbours of held-out rows, compared with brute force, is
// off by less than 0.5 % on average. error() is the same figure on other rows.
//
// Once k rows are found, a filter on four bits per number (plausibility/index/coarse_rows.h) selects the rows
// of a cell that may be nearer, a few percent of them. Only those are measured, in float precision.
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
  // Tuned for searches of about `neighbours` neighbours; smaller searches work as well.
  // The metric is l1 or l2.
  NearIndex(const Matrix& rows, std::size_t neighbours, Metric metric, std::uint64_t seed);

  std::size_t rows() const { return cells_.order.size(); }
  std::size_t features() const { return features_; }
  double error() const { return error_; }

  // Like nearest() of plausibility/index/nearest.h, but may miss some neighbours; see error().
  std::vector<Neighbour> nearest(std::span<const double> x, std::size_t count,
                                 std::size_t skip = no_row) const;
  float coordinate(std::size_t row, std::size_t feature) const;

  void save(ByteWriter& out) const;
  static NearIndex load(ByteReader& in);

 private:
  class Search;
  // Cell or section centres packed for the kernels: [group][feature][16].
  struct Centres {
    std::size_t features = 0;
    LineList<float> values = {};
    std::vector<float> no_weights = {};  // 0 for a centre, very negative for padding
    std::size_t places() const { return no_weights.size(); }
    std::size_t groups() const { return places() / 16; }
    kernel::Packed packed(std::size_t first_group, std::size_t groups) const;
    void set(std::size_t place, std::span<const float> centre);
  };
  NearIndex(std::size_t features, Metric metric);
  // Computes the members that follow from cells_ and values_.
  void complete();
  std::vector<float> centre_of(std::size_t first_place, std::size_t last_place) const;
  float radius_of(std::size_t cell, const std::vector<float>& centre) const;
  void coarsen();
  kernel::PlainRows plain() const;
  // The filter distance that keeps rows at distance `raw_distance` in spite of rounding.
  float coarse_reach(std::size_t section, float raw_distance) const;
  void calibrate(const Matrix& rows, std::size_t neighbours, std::uint64_t seed);
  double mean_error(const Matrix& rows, std::span<const std::size_t> which, std::span<const double> exact,
                    std::size_t neighbours) const;

  std::size_t features_, width_, cells_opened_ = 0;
  Metric metric_;
  double error_ = 0;
  RowCells cells_;
  LineList<float> values_;                     // [place][width]; places follow the order of the cells
  CoarseRows coarse_;                          // the same rows in four bits per number
  Centres of_sections_, of_cells_;             // the cells of each section start a new group of sixteen
  std::vector<std::uint32_t> section_groups_;  // first group of each section's cells, plus one past the last
  std::vector<float> radii_;
  float widest_ = 0;                         // the largest radius
  std::vector<std::uint32_t> first_places_;  // of each cell, plus one past the last
  std::vector<std::uint32_t> section_of_;    // the section of each cell
  std::vector<std::uint32_t> places_;        // the place of each row
};

// Up to this many rows brute force is faster than an index. An index knows l1 and l2 only.
inline constexpr std::size_t most_scanned_rows = 20000;
inline bool is_indexed(std::size_t rows, Metric metric) {
  return rows > most_scanned_rows && metric != Metric::linf;
}

}  // namespace scfe
