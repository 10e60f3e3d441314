#include "plausibility/index/nearest.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

bool closer(const Neighbour& a, const Neighbour& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
}

double absolute_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += std::abs(a[j] - b[j]);
  return sum;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t j = 0; j < a.size(); ++j) largest = std::max(largest, std::abs(a[j] - b[j]));
  return largest;
}

// The distance, or its square for l2.
double raw_distance(std::span<const double> a, std::span<const double> b, Metric metric) {
  switch (metric) {
    case Metric::l1:
      return absolute_distance(a, b);
    case Metric::linf:
      return largest_difference(a, b);
    case Metric::l2:
      break;
  }
  return squared_distance(a, b);
}

// Keeps the `count` nearest rows so far, sorted. Euclidean distances stay squared until finish().
class Shortlist {
 public:
  Shortlist(std::size_t count, Metric metric) : count_(count), metric_(metric) { found_.reserve(count + 1); }

  void offer(std::span<const double> row, std::size_t number, std::span<const double> x) {
    offer({raw_distance(row, x, metric_), number});
  }
  std::vector<Neighbour> finish() {
    if (metric_ == Metric::l2)
      for (Neighbour& n : found_) n.distance = std::sqrt(n.distance);
    return std::move(found_);
  }

 private:
  void offer(Neighbour candidate) {
    if (count_ == 0 || (found_.size() == count_ && !closer(candidate, found_.back()))) return;
    if (found_.size() == count_) found_.pop_back();
    found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate, closer), candidate);
  }
  std::size_t count_;
  Metric metric_;
  std::vector<Neighbour> found_;
};

}  // namespace

double squared_distance(std::span<const double> a, std::span<const double> b) {
  // Four independent sums: with a single one each addition would have to wait for the previous one.
  double sums[4] = {};
  std::size_t j = 0;
  for (; j + 4 <= a.size(); j += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const double difference = a[j + lane] - b[j + lane];
      sums[lane] += difference * difference;
    }
  }
  for (; j < a.size(); ++j) sums[0] += (a[j] - b[j]) * (a[j] - b[j]);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

std::vector<Neighbour> nearest(const Matrix& rows, std::span<const double> x, std::size_t count,
                               std::size_t skip, Metric metric) {
  Shortlist list(count, metric);
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (i != skip) list.offer(rows[i], i, x);
  return list.finish();
}

}  // namespace scfe
