#include "plausibility/index/coded_nearest.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

// What the columns of one category add to the distance from x, by the row's level.
class LevelDistance {
 public:
  LevelDistance(std::span<const double> x, std::span<const int> columns, double indicator)
      : x_(x), indicator_(indicator) {
    for (const int j : columns) {
      const double size = std::abs(x[static_cast<std::size_t>(j)]);
      squares_ += size * size;
      sizes_ += size;
      if (size > largest_) {
        second_ = largest_;
        largest_ = size;
      } else {
        second_ = std::max(second_, size);
      }
    }
  }
  // The distance, or its square for l2.
  double operator()(int level, Metric metric) const {
    const double at = x_[static_cast<std::size_t>(level)], off = std::abs(at - indicator_),
                 size = std::abs(at);
    if (metric == Metric::l1) return sizes_ - size + off;
    if (metric == Metric::linf) return std::max(off, size == largest_ ? second_ : largest_);
    return std::max(0.0, squares_ - size * size) + off * off;
  }

 private:
  std::span<const double> x_;
  double indicator_, squares_ = 0, sizes_ = 0, largest_ = 0, second_ = 0;
};

// The distance of the numbers, or its square for l2.
double number_distance(std::span<const double> a, std::span<const double> b, Metric metric) {
  if (metric == Metric::l2) return squared_distance(a, b);
  double sum = 0, largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    sum += std::abs(a[j] - b[j]);
    largest = std::max(largest, std::abs(a[j] - b[j]));
  }
  return metric == Metric::l1 ? sum : largest;
}

}  // namespace

std::vector<Neighbour> CodedRows::nearest(std::span<const double> x, std::size_t count, std::size_t skip,
                                          Metric metric) const {
  std::vector<LevelDistance> parts;
  for (const std::vector<int>& group : columns_.groups) parts.emplace_back(x, group, indicator_);
  std::vector<double> numbers;
  for (const int j : columns_.numeric) numbers.push_back(x[static_cast<std::size_t>(j)]);
  std::vector<Neighbour> all;
  all.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) {
    if (i == skip) continue;
    double distance = number_distance(rows_.numeric[i], numbers, metric);
    for (std::size_t g = 0; g < parts.size(); ++g) {
      const double part = parts[g](rows_.levels_of(i)[g], metric);
      distance = metric == Metric::linf ? std::max(distance, part) : distance + part;
    }
    all.push_back({distance, i});
  }
  const auto closer = [](const Neighbour& a, const Neighbour& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
  };
  const std::size_t kept = std::min(count, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), closer);
  all.resize(kept);
  if (metric == Metric::l2)
    for (Neighbour& n : all) n.distance = std::sqrt(n.distance);
  return all;
}

std::vector<double> CodedRows::point(std::size_t row) const {
  std::vector<double> all(rows_.columns);
  for (std::size_t j = 0; j < columns_.numeric.size(); ++j)
    all[static_cast<std::size_t>(columns_.numeric[j])] = rows_.numeric[row][j];
  for (std::size_t g = 0; g < rows_.groups; ++g)
    all[static_cast<std::size_t>(rows_.levels_of(row)[g])] = indicator_;
  return all;
}

}  // namespace scfe
