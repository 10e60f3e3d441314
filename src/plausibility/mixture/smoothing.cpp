#include "plausibility/mixture/smoothing.h"

#include <algorithm>
#include <cmath>

#include "plausibility/fit.h"
#include "plausibility/index/nearest.h"
#include "plausibility/mixture/pair_bins.h"
#include "support/random.h"

namespace scfe {
namespace {

constexpr double least_bandwidth = 0.05;  // as a share of the numbers' spread
constexpr double least_other = 1e-4, most_other = 1;

class LeaveOneOut {
 public:
  LeaveOneOut(const MixedRows& rows, std::uint64_t seed)
      : numbers_(static_cast<double>(rows.numeric.cols)), many_(rows.size() > most_single_pairs) {
    constexpr std::size_t most_pairs = 1'000'000, least_rows = 64, least_of_many = 192;
    std::vector<std::size_t> order = Random(seed).permutation(rows.size());
    order.resize(
        std::min(rows.size(), std::max(many_ ? least_of_many : least_rows, most_pairs / rows.size())));
    for (const std::size_t i : order) {
      const std::size_t first = pairs_.size();
      for (std::size_t j = 0; j < rows.size(); ++j) add(rows, i, j);
      bins_.empty_into(pairs_);
      if (pairs_.size() > first) ends_.push_back(pairs_.size());
    }
  }

  double likelihood(const Columns& columns, Smoothing by) const {
    const double factor = -0.5 / (by.bandwidth * by.bandwidth), other = std::log(by.other_level);
    double total = 0;
    for (std::size_t i = 0, first = 0; i < ends_.size(); first = ends_[i++])
      total += log_mean(first, ends_[i], factor, other);
    return total / static_cast<double>(std::max<std::size_t>(1, ends_.size())) -
           numbers_ * std::log(by.bandwidth) + log_same_level(columns, by.other_level);
  }

 private:
  void add(const MixedRows& rows, std::size_t i, std::size_t j) {
    const double squared = squared_distance(rows.numeric[i], rows.numeric[j]);
    if (i == j || (numbers_ > 0 && squared == 0)) return;
    int differing = 0;
    for (std::size_t g = 0; g < rows.groups; ++g)
      differing += rows.levels_of(i)[g] != rows.levels_of(j)[g] ? 1 : 0;
    if (many_)
      bins_.add(squared, differing);
    else
      pairs_.push_back({squared, 1, differing});
  }
  double log_mean(std::size_t first, std::size_t last, double factor, double other) const {
    double peak = -1e300, sum = 0, count = 0;
    const auto exponent = [&](const BinnedPair& pair) {
      return factor * pair.squared + other * pair.differing;
    };
    for (std::size_t p = first; p < last; ++p) peak = std::max(peak, exponent(pairs_[p]));
    for (std::size_t p = first; p < last; ++p)
      if (const double e = exponent(pairs_[p]) - peak; e > -30) sum += pairs_[p].count * std::exp(e);
    for (std::size_t p = first; p < last; ++p) count += pairs_[p].count;
    return peak + std::log(sum / count);
  }

  std::vector<BinnedPair> pairs_;  // the pairs of each sampled row with the others, row by row
  std::vector<std::size_t> ends_;
  double numbers_;
  bool many_;
  PairBins bins_;
};

// One parameter of the search; steps are taken on a log scale.
struct Range {
  double Smoothing::*value;
  double least, most;
};

}  // namespace

double log_same_level(const Columns& columns, double other_level) {
  double sum = 0;
  for (const auto& group : columns.groups)
    sum -= std::log1p(static_cast<double>(group.size() - 1) * other_level);
  return sum;
}

Smoothing choose_smoothing(const MixedRows& rows, const Columns& columns, double bandwidth,
                           std::uint64_t seed) {
  const LeaveOneOut left_out(rows, seed);
  double variance = 0, active = 0;
  for (const double spread : column_spreads(rows.numeric))
    variance += spread * spread, active += spread > 0 ? 1 : 0;
  const double spread = active > 0 ? std::sqrt(variance / active) : 0;

  std::vector<Range> ranges{{&Smoothing::other_level, least_other, most_other}};
  Smoothing best{bandwidth > 0 ? bandwidth : spread > 0 ? 0.3 * spread : 1, 0.1};
  if (bandwidth == 0 && spread > 0)
    ranges.push_back({&Smoothing::bandwidth, least_bandwidth * spread, 8 * spread});
  double best_score = left_out.likelihood(columns, best);
  // Coordinate search; the step is halved if no step helps. Enough for two parameters of a smooth function.
  for (double step = 1.0; step > 5e-3;) {
    bool moved = false;
    for (const Range& range : ranges) {
      for (const double sign : {-1.0, 1.0}) {
        Smoothing next = best;
        next.*range.value = std::clamp(best.*range.value * std::exp(sign * step), range.least, range.most);
        const double score = left_out.likelihood(columns, next);
        if (score > best_score) best = next, best_score = score, moved = true;
      }
    }
    if (!moved) step /= 2;
  }
  return best;
}

}  // namespace scfe
