#include "plausibility/kde/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "plausibility/fit.h"
#include "plausibility/index/nearest.h"
#include "plausibility/mixture/pair_bins.h"
#include "support/random.h"

namespace scfe {
namespace {

class LeaveOneOut {
 public:
  LeaveOneOut(const Matrix& rows, std::uint64_t seed) {
    constexpr std::size_t most_pairs = 4'000'000, least_rows = 64, least_of_many = 192;
    const bool many = rows.rows > most_single_pairs;
    std::vector<std::size_t> order = Random(seed).permutation(rows.rows);
    order.resize(std::min(rows.rows, std::max(many ? least_of_many : least_rows, most_pairs / rows.rows)));
    PairBins bins;
    double count = 0;
    for (const std::size_t i : order) {
      const std::size_t first = pairs_.size();
      for (std::size_t j = 0; j < rows.rows; ++j) {
        const double squared = squared_distance(rows[i], rows[j]);
        if (!(squared > 0)) continue;
        if (many)
          bins.add(squared, 0);
        else
          pairs_.push_back({squared, 1, 0});
      }
      bins.empty_into(pairs_);
      if (pairs_.size() > first) ends_.push_back(pairs_.size());
    }
    for (const BinnedPair& pair : pairs_) count += pair.count;
    for (const BinnedPair& pair : pairs_) mean_ += pair.count * pair.squared / count;
  }

  double root_mean_square() const { return std::sqrt(mean_); }

  double likelihood(double h, double dimensions) const {
    constexpr double rounds_to_zero = -746;  // exp() of this and less is 0, which it takes long to find out
    const double factor = -0.5 / (h * h);
    double total = 0;
    for (std::size_t i = 0, first = 0; i < ends_.size(); first = ends_[i++]) {
      double least = pairs_[first].squared, sum = 0, count = 0;
      for (std::size_t p = first; p < ends_[i]; ++p) least = std::min(least, pairs_[p].squared);
      for (std::size_t p = first; p < ends_[i]; ++p) {
        const double exponent = factor * (pairs_[p].squared - least);
        if (exponent > rounds_to_zero) sum += pairs_[p].count * std::exp(exponent);
        count += pairs_[p].count;
      }
      total += factor * least + std::log(sum / count);
    }
    return total / static_cast<double>(ends_.size()) - dimensions * std::log(h);
  }

 private:
  std::vector<BinnedPair> pairs_;  // of each sampled row with the rows that differ from it, row by row
  std::vector<std::size_t> ends_;
  double mean_ = 0;
};

// Maximises a unimodal score over [lo, hi].
template <class Score>
double golden_section(double lo, double hi, const Score& score) {
  constexpr double ratio = 0.6180339887498949;
  double left = hi - ratio * (hi - lo), right = lo + ratio * (hi - lo);
  double at_left = score(left), at_right = score(right);
  while (hi - lo > 1e-4) {
    if (at_left >= at_right) {
      hi = right, right = left, at_right = at_left;
      at_left = score(left = hi - ratio * (hi - lo));
    } else {
      lo = left, left = right, at_left = at_right;
      at_right = score(right = lo + ratio * (hi - lo));
    }
  }
  return 0.5 * (lo + hi);
}

}  // namespace

double choose_bandwidth(const Matrix& rows, bool paper, std::uint64_t seed) {
  const LeaveOneOut left_out(rows, seed);
  double dimensions = 0, variance = 0;
  for (const double spread : column_spreads(rows)) {
    dimensions += spread > 0 ? 1 : 0;
    variance += spread * spread;
  }
  const double least = std::log(1e-3 * std::sqrt(variance / dimensions));
  const double most = std::log(4 * left_out.root_mean_square());
  const double counted = paper ? 1 : dimensions;
  const auto score = [&](double log_h) { return left_out.likelihood(std::exp(log_h), counted); };

  constexpr int steps = 40;
  const double step = (most - least) / steps;
  int best = 0;
  double best_score = score(least);
  for (int i = 1; i <= steps; ++i)
    if (const double at = score(least + i * step); at > best_score) best = i, best_score = at;
  const double log_h = golden_section(std::max(least, least + (best - 1) * step),
                                      std::min(most, least + (best + 1) * step), score);
  return std::exp(log_h);
}

}  // namespace scfe
