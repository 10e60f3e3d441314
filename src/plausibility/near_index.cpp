#include "plausibility/near_index.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scfe {
namespace {

constexpr std::size_t together = 16;
constexpr std::size_t most_cell_rows = 256;

std::size_t groups_of(std::size_t rows) { return (rows + together - 1) / together; }

// Distances of x to `groups` groups of sixteen; Euclidean ones squared. Plain loops: sixteen sums side by
// side.
void measure(const float* x, const float* values, std::size_t features, std::size_t groups, Metric metric,
             float* distances) {
  for (std::size_t g = 0; g < groups; ++g, values += features * together, distances += together) {
    float sums[together] = {};
    for (std::size_t j = 0; j < features; ++j) {
      const float at = x[j];
      const float* row = values + j * together;
      if (metric == Metric::euclidean)
        for (std::size_t i = 0; i < together; ++i) sums[i] += (at - row[i]) * (at - row[i]);
      else
        for (std::size_t i = 0; i < together; ++i) sums[i] += std::abs(at - row[i]);
    }
    std::copy_n(sums, together, distances);
  }
}

bool closer(const Neighbour& a, const Neighbour& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
}

struct Cell {
  float distance;
  std::uint32_t number;
  // The heap gives the nearest first.
  bool operator<(const Cell& other) const {
    return distance != other.distance ? distance > other.distance : number > other.number;
  }
};

}  // namespace

void NearIndex::pack(const std::vector<float>& rows) {
  std::size_t groups = 0, row = 0;
  for (const std::uint32_t size : cells_.sizes) {
    values_.resize((groups + groups_of(size)) * together * features_);
    for (std::size_t i = 0; i < size; ++i, ++row) {
      float* to = values_.data() + (groups + i / together) * together * features_ + i % together;
      for (std::size_t j = 0; j < features_; ++j) to[j * together] = rows[cells_.order[row] * features_ + j];
    }
    groups += groups_of(size);
  }
}

void NearIndex::complete() {
  first_rows_ = first_groups_ = {0};
  places_.resize(rows());
  centres_.assign(groups_of(cells_.sizes.size()) * together * features_, 0.0F);
  for (std::size_t c = 0; c < cells_.sizes.size(); ++c) {
    const std::size_t size = cells_.sizes[c], first = first_groups_.back();
    const float* values = values_.data() + first * together * features_;
    std::vector<float> centre(features_);
    for (std::size_t j = 0; j < features_; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i)
        sum += values[(i / together * features_ + j) * together + i % together];
      centre[j] = static_cast<float>(sum / static_cast<double>(size));
      centres_[(c / together * features_ + j) * together + c % together] = centre[j];
    }
    float distances[most_cell_rows];
    measure(centre.data(), values, features_, groups_of(size), metric_, distances);
    const float most = *std::max_element(distances, distances + size);
    // A little more: the bound must hold in spite of roundings.
    radii_.push_back((metric_ == Metric::euclidean ? std::sqrt(most) : most) * 1.0001F);
    for (std::size_t i = 0; i < size; ++i)
      places_[cells_.order[first_rows_.back() + i]] = static_cast<std::uint32_t>(first * together + i);
    first_rows_.push_back(first_rows_.back() + size);
    first_groups_.push_back(first + groups_of(size));
  }
}

float NearIndex::coordinate(std::size_t row, std::size_t feature) const {
  const std::size_t place = places_[row];
  return values_[(place / together * features_ + feature) * together + place % together];
}

std::vector<Neighbour> NearIndex::nearest(std::span<const double> x, std::size_t count,
                                          std::size_t skip) const {
  const bool euclidean = metric_ == Metric::euclidean;
  const std::vector<float> at(x.begin(), x.end());
  const std::size_t groups = groups_of(cells_.sizes.size());
  std::vector<float> distances(std::max(groups * together, most_cell_rows));
  measure(at.data(), centres_.data(), features_, groups, metric_, distances.data());
  std::vector<Cell> cells(cells_.sizes.size());
  for (std::size_t c = 0; c < cells.size(); ++c)
    cells[c] = {euclidean ? std::sqrt(distances[c]) : distances[c], static_cast<std::uint32_t>(c)};
  std::make_heap(cells.begin(), cells.end());

  std::vector<Neighbour> found;
  const float widest = *std::ranges::max_element(radii_);
  for (std::size_t opened = 0; !cells.empty(); ++opened) {
    std::pop_heap(cells.begin(), cells.end());
    const Cell cell = cells.back();
    cells.pop_back();
    const bool full = found.size() == count;
    const double worst = full ? euclidean ? std::sqrt(found.front().distance) : found.front().distance : 0;
    if (full && (opened >= cells_opened_ || cell.distance - widest > worst)) break;
    if (full && cell.distance - radii_[cell.number] > worst) continue;
    const std::size_t first = first_groups_[cell.number];
    measure(at.data(), values_.data() + first * together * features_, features_,
            first_groups_[cell.number + 1] - first, metric_, distances.data());
    for (std::size_t i = 0; i < cells_.sizes[cell.number]; ++i) {
      const Neighbour candidate{distances[i], cells_.order[first_rows_[cell.number] + i]};
      if (candidate.row == skip || (found.size() == count && !closer(candidate, found.front()))) continue;
      if (found.size() == count) {
        std::pop_heap(found.begin(), found.end(), closer);
        found.pop_back();
      }
      found.push_back(candidate);
      std::push_heap(found.begin(), found.end(), closer);
    }
  }
  std::ranges::sort(found, closer);
  if (euclidean)
    for (Neighbour& n : found) n.distance = std::sqrt(n.distance);
  return found;
}

void NearIndex::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  out.put(std::uint64_t{cells_opened_});
  out.put(static_cast<std::uint8_t>(metric_));
  out.put(error_);
  for (const auto* list : {&cells_.order, &cells_.sizes}) out.put_list(*list);
  out.put_list(values_);
}

NearIndex NearIndex::load(ByteReader& in) {
  NearIndex index;
  index.features_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  index.cells_opened_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  index.metric_ = static_cast<Metric>(in.get_choice(2));
  index.error_ = in.get<double>();
  for (auto* list : {&index.cells_.order, &index.cells_.sizes}) *list = in.get_list<std::uint32_t>();
  index.values_ = in.get_list<float>();
  std::size_t groups = 0, rows = 0;
  for (const std::uint32_t size : index.cells_.sizes) {
    in.require(size > 0 && size <= most_cell_rows, "rows in each cell", size);
    groups += groups_of(size);
    rows += size;
  }
  in.require(rows > 0 && rows == index.rows(), "cells that hold the rows", rows);
  // By division: damaged numbers must not wrap around to ones that fit.
  const std::size_t values = index.values_.size();
  in.require(index.features_ > 0 && values % (groups * together) == 0 &&
                 values / (groups * together) == index.features_,
             "features for each row", values);
  std::vector<bool> seen(rows);
  for (const std::uint32_t row : index.cells_.order) {
    in.require(row < rows && !seen[row], "each row once", row);
    seen[row] = true;
  }
  index.complete();
  return index;
}

}  // namespace scfe
