// Builds the index of near rows: centres and radii of cells, and the number of cells that a search opens.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "plausibility/index/near_index.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr std::size_t calibration_rows = 48;  // and as many others to measure the error
constexpr double target_error = 0.005;
constexpr std::size_t fewest_cells = 8;
using kernel::group_size;
constexpr float nothing_there = -1e30F;

double mean_distance(const std::vector<Neighbour>& found) {
  double sum = 0;
  for (const Neighbour& n : found) sum += n.distance;
  return sum / static_cast<double>(found.size());
}

}  // namespace

NearIndex::NearIndex(std::size_t features, Metric metric)
    : features_(features), width_(kernel::listed_width(features)), metric_(metric) {}

NearIndex::NearIndex(const Matrix& rows, std::size_t neighbours, Metric metric, std::uint64_t seed)
    : NearIndex(rows.cols, metric) {
  const std::vector<float> values(rows.values.begin(), rows.values.end());
  cells_ = sort_into_cells(values, features_, kernel::kernels());
  values_.resize(rows.rows * width_);
  for (std::size_t place = 0; place < rows.rows; ++place)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(cells_.order[place] * features_), features_,
                values_.begin() + static_cast<std::ptrdiff_t>(place * width_));
  complete();
  calibrate(rows, neighbours, seed);
}

void NearIndex::Centres::set(std::size_t place, std::span<const float> centre) {
  while (place >= places()) {
    values.resize(values.size() + group_size * features);
    no_weights.resize(no_weights.size() + group_size, nothing_there);
  }
  no_weights[place] = 0;
  for (std::size_t j = 0; j < features; ++j)
    values[(place / group_size * features + j) * group_size + place % group_size] = centre[j];
}

void NearIndex::complete() {
  places_.resize(rows());
  for (std::size_t place = 0; place < rows(); ++place)
    places_[cells_.order[place]] = static_cast<std::uint32_t>(place);
  first_places_.assign(1 + cells_.sizes.size(), 0);
  std::partial_sum(cells_.sizes.begin(), cells_.sizes.end(), first_places_.begin() + 1);
  of_sections_.features = of_cells_.features = features_;
  section_groups_ = {0};
  std::size_t cell = 0;
  for (std::uint32_t s = 0; s < cells_.sections.size(); ++s) {
    const std::size_t first = cell, size = cells_.sections[s];
    for (; cell < first + size; ++cell) {
      const std::vector<float> centre = centre_of(first_places_[cell], first_places_[cell + 1]);
      of_cells_.set(section_groups_.back() * group_size + cell - first, centre);
      radii_.push_back(radius_of(cell, centre));
    }
    of_sections_.set(s, centre_of(first_places_[first], first_places_[cell]));
    section_of_.insert(section_of_.end(), size, s);
    section_groups_.push_back(static_cast<std::uint32_t>(of_cells_.groups()));
  }
  widest_ = *std::ranges::max_element(radii_);
  coarsen();
}

std::vector<float> NearIndex::centre_of(std::size_t first_place, std::size_t last_place) const {
  std::vector<float> centre(width_);
  for (std::size_t j = 0; j < features_; ++j) {
    double sum = 0;
    for (std::size_t place = first_place; place < last_place; ++place) sum += values_[place * width_ + j];
    centre[j] = static_cast<float>(sum / static_cast<double>(last_place - first_place));
  }
  return centre;
}

float NearIndex::radius_of(std::size_t cell, const std::vector<float>& centre) const {
  std::vector<float> apart(cells_.sizes[cell]);
  std::vector<std::uint32_t> places(apart.size());
  std::iota(places.begin(), places.end(), first_places_[cell]);
  kernel::kernels().listed_distances(plain(), places.data(), places.size(), centre.data(), apart.data());
  const float farthest = *std::ranges::max_element(apart);
  // Slightly enlarged so that the bound holds in spite of rounding.
  return (metric_ == Metric::l2 ? std::sqrt(2 * farthest) : farthest) * 1.0001F;
}

void NearIndex::coarsen() {
  coarse_ = CoarseRows(features_, cells_.sizes, cells_.sections);
  std::vector<float> values;
  for (std::size_t s = 0; s < cells_.sections.size(); ++s) {
    for (std::size_t j = 0; j < features_; ++j) {
      values.clear();
      for (std::size_t place = coarse_.section_row(s); place < coarse_.section_row(s + 1); ++place)
        values.push_back(values_[place * width_ + j]);
      coarse_.set(s, j, values);
    }
  }
}

// No row counts among its own neighbours.
void NearIndex::calibrate(const Matrix& rows, std::size_t neighbours, std::uint64_t seed) {
  std::vector<std::size_t> order = Random(seed).permutation(rows.rows);
  order.resize(std::min(rows.rows, 2 * calibration_rows));
  std::vector<double> exact;
  for (const std::size_t i : order)
    exact.push_back(mean_distance(scfe::nearest(rows, rows[i], neighbours, i, metric_)));
  const std::span<const std::size_t> all(order);
  const std::span<const double> truth(exact);
  const std::size_t half = order.size() / 2;
  for (cells_opened_ = fewest_cells; cells_opened_ < cells_.sizes.size(); cells_opened_ += cells_opened_ / 2)
    if (mean_error(rows, all.first(half), truth.first(half), neighbours) <= target_error) break;
  error_ = mean_error(rows, all.subspan(half), truth.subspan(half), neighbours);
}

double NearIndex::mean_error(const Matrix& rows, std::span<const std::size_t> which,
                             std::span<const double> exact, std::size_t neighbours) const {
  double sum = 0;
  for (std::size_t i = 0; i < which.size(); ++i) {
    const double found = mean_distance(nearest(rows[which[i]], neighbours, which[i]));
    // Differences below float precision are no error; they occur with duplicate rows.
    if (std::abs(found - exact[i]) > 1e-5) sum += std::abs(std::log(found / std::max(exact[i], 1e-5)));
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, which.size()));
}

void NearIndex::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  out.put(std::uint64_t{cells_opened_});
  out.put(static_cast<std::uint8_t>(metric_));
  out.put(error_);
  for (const auto* list : {&cells_.order, &cells_.sizes, &cells_.sections}) out.put_list(*list);
  std::vector<float> values;
  values.reserve(rows() * features_);
  for (std::size_t place = 0; place < rows(); ++place)
    for (std::size_t j = 0; j < features_; ++j) values.push_back(values_[place * width_ + j]);
  out.put_list(values);
}

NearIndex NearIndex::load(ByteReader& in) {
  const auto features = in.get<std::uint64_t>();
  const auto opened = in.get<std::uint64_t>();
  NearIndex index(static_cast<std::size_t>(features), static_cast<Metric>(in.get_choice(2)));
  index.cells_opened_ = static_cast<std::size_t>(opened);
  index.error_ = in.get<double>();
  RowCells& cells = index.cells_;
  for (auto* list : {&cells.order, &cells.sizes, &cells.sections}) *list = in.get_list<std::uint32_t>();
  const auto values = in.get_list<float>();
  std::size_t rows = 0;
  for (const std::uint32_t size : cells.sizes) {
    in.require(size > 0 && size <= most_cell_rows, "rows in each cell", size);
    rows += size;
  }
  in.require(rows > 0 && rows == index.rows(), "cells that hold the rows", rows);
  const auto held = std::accumulate(cells.sections.begin(), cells.sections.end(), std::uint64_t{0});
  in.require(std::ranges::find(cells.sections, 0U) == cells.sections.end() && held == cells.sizes.size(),
             "sections that hold the cells", held);
  // Compares by division because a product of damaged numbers could overflow to a matching value.
  in.require(features > 0 && values.size() % rows == 0 && values.size() / rows == features,
             "features for each row", values.size());
  std::vector<bool> seen(rows);
  for (const std::uint32_t row : cells.order) {
    in.require(row < rows && !seen[row], "each row once", row);
    seen[row] = true;
  }
  index.values_.resize(rows * index.width_);
  for (std::size_t place = 0; place < rows; ++place)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(place * index.features_), index.features_,
                index.values_.begin() + static_cast<std::ptrdiff_t>(place * index.width_));
  index.complete();
  return index;
}

}  // namespace scfe
