#include "plausibility/near_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scfe {
namespace {

constexpr std::size_t together = 16;
constexpr float zeros[most_cell_rows] = {};
constexpr float no_cell = -1e30F;
constexpr double no_bound = std::numeric_limits<double>::infinity();

std::size_t groups_of(std::size_t rows) { return (rows + together - 1) / together; }

// -|x - row| of `groups` groups of sixteen. Plain loops: sixteen sums side by side.
void manhattan(const float* x, const kernel::Packed& rows, float* closeness) {
  const float* values = rows.centres;
  for (std::size_t g = 0; g < rows.groups; ++g, values += rows.features * together) {
    float sums[together] = {};
    for (std::size_t j = 0; j < rows.features; ++j) {
      const float* row = values + j * together;
      for (std::size_t i = 0; i < together; ++i) sums[i] += std::abs(x[j] - row[i]);
    }
    for (std::size_t i = 0; i < together; ++i)
      closeness[g * together + i] = rows.log_weights[g * together + i] - sums[i];
  }
}

// The nearer, the greater: -1/2 of the squared distance, or less the sum of differences.
void measure(const float* x, const kernel::Packed& rows, Metric metric, float* closeness) {
  if (metric == Metric::euclidean)
    kernel::kernels().packed_exponents(rows, x, closeness);
  else
    manhattan(x, rows, closeness);
}

double distance_of(double closeness, Metric metric) {
  return metric == Metric::euclidean ? std::sqrt(-2 * closeness) : -closeness;
}

bool closer(const Neighbour& a, const Neighbour& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
}

struct Cell {
  float closeness;
  std::uint32_t number;
  bool operator<(const Cell& other) const {
    return closeness != other.closeness ? closeness > other.closeness : number < other.number;
  }
};

// At least the `count` nearest cells, nearest first: those as near as the count-th of the groups' nearest.
std::vector<Cell> nearest_cells(std::span<const float> closeness, std::size_t cells, std::size_t count) {
  std::vector<float> tops;
  for (std::size_t first = 0; first < closeness.size(); first += together)
    tops.push_back(*std::max_element(closeness.begin() + static_cast<std::ptrdiff_t>(first),
                                     closeness.begin() + static_cast<std::ptrdiff_t>(first + together)));
  std::vector<float> order = tops;
  float least = std::numeric_limits<float>::lowest();
  if (count <= order.size()) {
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::ranges::nth_element(order, last, std::greater<>());
    least = *last;
  }
  std::vector<Cell> found;
  for (std::size_t group = 0; group < tops.size(); ++group) {
    if (tops[group] < least) continue;
    for (std::size_t c = group * together; c < std::min(cells, (group + 1) * together); ++c)
      if (closeness[c] >= least) found.push_back({closeness[c], static_cast<std::uint32_t>(c)});
  }
  std::ranges::sort(found, std::less<>());
  return found;
}

// The nearest seen so far, the farthest of them on top.
class Nearest {
 public:
  Nearest(std::size_t count, std::size_t skip) : count_(count), skip_(skip) { found_.reserve(count); }
  bool full() const { return found_.size() == count_; }
  double worst() const { return found_.front().distance; }
  // Distances in any unit that grows with them.
  void offer(Neighbour candidate) {
    if (candidate.row == skip_ || (full() && !closer(candidate, found_.front()))) return;
    if (full()) {
      std::ranges::pop_heap(found_, closer);
      found_.pop_back();
    }
    found_.push_back(candidate);
    std::ranges::push_heap(found_, closer);
  }
  std::vector<Neighbour> sorted() && {
    std::ranges::sort(found_, closer);
    return std::move(found_);
  }

 private:
  std::size_t count_, skip_;
  std::vector<Neighbour> found_;
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
  no_weights_.assign(groups_of(cells_.sizes.size()) * together, 0.0F);
  std::fill(no_weights_.begin() + static_cast<std::ptrdiff_t>(cells_.sizes.size()), no_weights_.end(),
            no_cell);
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
    float closeness[most_cell_rows];
    measure(centre.data(), {groups_of(size), features_, values, nullptr, zeros}, metric_, closeness);
    const float least = *std::min_element(closeness, closeness + size);
    // A little more: the bound must hold in spite of roundings.
    radii_.push_back(static_cast<float>(distance_of(least, metric_)) * 1.0001F);
    for (std::size_t i = 0; i < size; ++i)
      places_[cells_.order[first_rows_.back() + i]] = static_cast<std::uint32_t>(first * together + i);
    first_rows_.push_back(first_rows_.back() + size);
    first_groups_.push_back(first + groups_of(size));
  }
  widest_ = *std::ranges::max_element(radii_);
}

float NearIndex::coordinate(std::size_t row, std::size_t feature) const {
  const std::size_t place = places_[row];
  return values_[(place / together * features_ + feature) * together + place % together];
}

std::vector<Neighbour> NearIndex::nearest(std::span<const double> x, std::size_t count,
                                          std::size_t skip) const {
  count = std::min(count, rows() - (skip < rows() ? 1 : 0));
  if (count == 0) return {};
  const std::vector<float> at(x.begin(), x.end());
  std::vector<float> of_cells(no_weights_.size()), of_rows(most_cell_rows);
  measure(at.data(), {no_weights_.size() / together, features_, centres_.data(), nullptr, no_weights_.data()},
          metric_, of_cells.data());
  const std::size_t all = cells_.sizes.size();
  std::vector<Cell> cells = nearest_cells(of_cells, all, std::min(cells_opened_, all));
  Nearest nearest(count, skip);
  for (std::size_t opened = 0; !nearest.full() || opened < cells_opened_; ++opened) {
    if (opened == cells.size() && opened < all) cells = nearest_cells(of_cells, all, all);
    if (opened == all) break;
    const std::uint32_t cell = cells[opened].number;
    const double distance = distance_of(cells[opened].closeness, metric_),
                 worst = nearest.full() ? distance_of(-nearest.worst(), metric_) : no_bound;
    if (distance - widest_ > worst) break;
    if (distance - radii_[cell] > worst) continue;
    const std::size_t first = first_groups_[cell];
    measure(at.data(),
            {first_groups_[cell + 1] - first, features_, values_.data() + first * together * features_,
             nullptr, zeros},
            metric_, of_rows.data());
    for (std::size_t i = 0; i < cells_.sizes[cell]; ++i)
      nearest.offer({-of_rows[i], cells_.order[first_rows_[cell] + i]});
  }
  std::vector<Neighbour> found = std::move(nearest).sorted();
  for (Neighbour& n : found) n.distance = distance_of(-n.distance, metric_);
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
