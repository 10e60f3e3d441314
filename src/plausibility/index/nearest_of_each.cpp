// The nearest rows of every row. Squared distances |a|² - 2 a b + |b|² come from the dense kernel in single
// precision, relative to the mean row. Close calls are measured again in double precision: results are exact.
//
// The error of such a distance is at most (d + 8) 2^-24 (|a|² + |b|²): d products and sums, and rounding.
#include <algorithm>
#include <cmath>

#include "kernel/kernels.h"
#include "plausibility/index/nearest.h"
#include "scfe/block.h"
#include "support/parallel.h"

namespace scfe {
namespace {

constexpr std::size_t least_rows = 256;  // below this a single thread is used
constexpr std::size_t queries_together = 64, chunk = 256;

class Screen {
 public:
  explicit Screen(const Matrix& rows)
      : rows_(&rows), values_(rows.rows * rows.cols), squares_(rows.rows), mean_(rows.cols) {
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < rows.cols; ++j) mean_[j] += rows[i][j] / static_cast<double>(rows.rows);
    for (std::size_t i = 0; i < rows.rows; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < rows.cols; ++j) {
        const float value = static_cast<float>(rows[i][j] - mean_[j]);
        values_[i * rows.cols + j] = value;
        sum += double{value} * value;
      }
      squares_[i] = static_cast<float>(sum);
      largest_ = std::max(largest_, squares_[i]);
    }
  }

  bool usable() const { return std::isfinite(4 * largest_); }

  // Fills found[i] with the neighbours of row first + i.
  void run(std::size_t first, std::size_t count, std::span<std::vector<Neighbour>> found) const {
    const std::size_t n = rows_->rows, d = rows_->cols;
    Block x(d, found.size()), dots(chunk, found.size());
    for (std::size_t l = 0; l < found.size(); ++l)
      for (std::size_t j = 0; j < d; ++j) x[j][l] = values_[(first + l) * d + j];
    std::vector<float> near(found.size() * n);
    for (std::size_t begin = 0; begin < n; begin += chunk) {
      const std::size_t size = std::min(chunk, n - begin);
      kernel::kernels().dense(size, d, values_.data() + begin * d, nullptr, {x.data(), x.stride()},
                              {dots.data(), dots.stride()}, x.padded_lanes());
      for (std::size_t l = 0; l < found.size(); ++l)
        for (std::size_t i = 0; i < size; ++i) near[l * n + begin + i] = squares_[begin + i] - 2 * dots[i][l];
    }
    for (std::size_t l = 0; l < found.size(); ++l)
      found[l] = nearest_of(first + l, count, {near.data() + l * n, n});
  }

 private:
  // near: squared distances to all rows, minus |a|² of the row itself.
  std::vector<Neighbour> nearest_of(std::size_t row, std::size_t count, std::span<const float> near) const {
    std::vector<float> order;
    for (std::size_t i = 0; i < near.size(); ++i)
      if (i != row) order.push_back(near[i]);
    count = std::min(count, order.size());
    if (count == 0) return {};
    std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(count - 1));
    const float error = std::ldexp(static_cast<float>(rows_->cols + 8) * (squares_[row] + largest_), -24);
    const float doubtful = order[count - 1] + 2 * error;
    std::vector<Neighbour> found;
    for (std::size_t i = 0; i < near.size(); ++i)
      if (i != row && near[i] <= doubtful) found.push_back({squared_distance((*rows_)[i], (*rows_)[row]), i});
    std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
    });
    found.resize(count);
    for (Neighbour& n : found) n.distance = std::sqrt(n.distance);
    return found;
  }

  const Matrix* rows_;
  std::vector<float> values_, squares_;  // relative to the mean of the rows
  std::vector<double> mean_;
  float largest_ = 0;
};

}  // namespace

std::vector<std::vector<Neighbour>> nearest_of_each(const Matrix& rows, std::size_t count, Metric metric) {
  std::vector<std::vector<Neighbour>> found(rows.rows);
  const Screen screen(rows);
  const bool screened = metric == Metric::l2 && screen.usable();
  Pool pool(rows.rows < least_rows ? 1 : 0);
  pool.each((rows.rows + queries_together - 1) / queries_together, [&](std::size_t piece) {
    const std::size_t first = piece * queries_together, last = std::min(rows.rows, first + queries_together);
    if (screened) return screen.run(first, count, {found.data() + first, last - first});
    for (std::size_t i = first; i < last; ++i) found[i] = nearest(rows, rows[i], count, i, metric);
  });
  return found;
}

}  // namespace scfe
