#include "plausibility/nearest.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

bool closer(const Neighbour& a, const Neighbour& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
}

// Keeps the `count` nearest seen so far, sorted; distances are squared until finish().
class Shortlist {
 public:
  explicit Shortlist(std::size_t count) : count_(count) { found_.reserve(count + 1); }

  void offer(Neighbour candidate) {
    if (count_ == 0 || (found_.size() == count_ && !closer(candidate, found_.back()))) return;
    if (found_.size() == count_) found_.pop_back();
    found_.insert(std::upper_bound(found_.begin(), found_.end(), candidate, closer), candidate);
  }
  std::vector<Neighbour> finish() {
    for (Neighbour& n : found_) n.distance = std::sqrt(n.distance);
    return std::move(found_);
  }

 private:
  std::size_t count_;
  std::vector<Neighbour> found_;
};

}  // namespace

double squared_distance(std::span<const double> a, std::span<const double> b) {
  // Four sums of their own: one chain of additions would wait for each addition to end.
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
                               std::size_t skip) {
  Shortlist list(count);
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (i != skip) list.offer({squared_distance(rows[i], x), i});
  return list.finish();
}

std::vector<std::vector<Neighbour>> nearest_of_each(const Matrix& rows, std::size_t count) {
  constexpr std::size_t block = 16;
  std::vector<std::vector<Neighbour>> found(rows.rows);
  for (std::size_t first = 0; first < rows.rows; first += block) {
    const std::size_t last = std::min(first + block, rows.rows);
    std::vector<Shortlist> lists(last - first, Shortlist(count));
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t q = first; q < last; ++q)
        if (q != i) lists[q - first].offer({squared_distance(rows[i], rows[q]), i});
    for (std::size_t q = first; q < last; ++q) found[q] = lists[q - first].finish();
  }
  return found;
}

}  // namespace scfe
