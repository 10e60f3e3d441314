#include "solver/exact/goal.h"

#include <algorithm>
#include <cmath>

#include "solver/exact/exact.h"

namespace scfe {

ExactGoal::ExactGoal(const Ensemble& ensemble, const ExactOptions& options)
    : ensemble_(ensemble),
      scores_(ensemble.base.size()),
      target_(static_cast<std::size_t>(options.target)),
      required_(options.required),
      lo_(options.lo),
      hi_(options.hi),
      by_probability_(options.by_probability),
      probabilities_(ensemble.link == Ensemble::Link::probability),
      reaches_(lo_ || hi_) {
  if (probabilities_) odds_ = std::exp(required_);
  const bool all_together = probabilities_ && by_probability_;
  base_.resize(scores_ == 1 || all_together ? 1 : scores_ - 1);
  if (lo_ && hi_) base_.resize(2);
  std::vector<double> largest(rivals());
  for (std::size_t r = 0; r < rivals(); ++r) {
    base_[r] = sum_of(ensemble.base, r, 1);
    largest[r] = std::abs(base_[r]);
  }
  add_leaves();
  std::vector<double> peak(rivals());
  for (std::size_t i = 0; i < leaf_values_->size(); ++i)
    peak[i % rivals()] = std::max(peak[i % rivals()], std::abs((*leaf_values_)[i]));
  const auto trees = static_cast<double>(ensemble.roots.size());
  double size = 0;
  for (std::size_t r = 0; r < rivals(); ++r) size = std::max(size, largest[r] + trees * peak[r]);
  const double rounding = (ensemble.single ? 0x1p-24 : 0x1p-50) * (trees + 4) * size;
  needed_ = (probabilities_ ? 0 : required_) - std::min(rounding, 1e-2 * size) - 1e-12;
}

// `one` is the sum of all probabilities: 1 for the base, 0 for a leaf.
double ExactGoal::sum_of(std::span<const double> v, std::size_t rival, double one) const {
  if (reaches_) return lo_ && rival == 0 ? v[0] - *lo_ * one : *hi_ * one - v[0];
  if (scores_ == 1) {
    const double sign = target_ == 1 ? 1 : -1;
    if (!probabilities_) return sign * v[0];
    return target_ == 1 ? (1 + odds_) * v[0] - odds_ * one : one - (1 + odds_) * v[0];
  }
  if (rivals() == 1 && scores_ > 2) {
    double others = 0;
    for (std::size_t k = 0; k < scores_; ++k) others += k == target_ ? 0 : v[k];
    return v[target_] - odds_ * others;
  }
  return v[target_] - odds_ * v[rival + (rival >= target_ ? 1 : 0)];
}

void ExactGoal::add_leaves() {
  std::vector<double> values, scores(scores_);
  for (const Ensemble::Node& node : ensemble_.nodes) {
    if (node.split != Ensemble::Split::leaf) continue;
    std::ranges::fill(scores, 0);
    for (std::uint32_t i = node.first; i < node.last; ++i)
      scores[ensemble_.values[i].score] += ensemble_.scale * ensemble_.values[i].value;
    for (std::size_t r = 0; r < rivals(); ++r) values.push_back(sum_of(scores, r, 0));
  }
  leaf_values_ = std::make_shared<const std::vector<double>>(std::move(values));
}

bool ExactGoal::granted(std::span<const double> sums) const {
  for (const double sum : sums)
    if (sum < needed()) return false;
  if (!by_probability_ || sums.size() == 1) return true;
  double total = 0;
  for (const double sum : sums) total += std::exp(needed() - sum);
  return total <= 1;
}

double ExactGoal::margin(std::span<const double> z) const { return margin_between(z, z); }

// Margins grow with the scores of the target (`own`) and fall with those of the others.
double ExactGoal::margin_between(std::span<const double> own, std::span<const double> others) const {
  if (reaches_) return std::min(lo_ ? own[0] - *lo_ : INFINITY, hi_ ? *hi_ - others[0] : INFINITY);
  if (scores_ == 1) return target_ == 1 ? own[0] : -others[0];
  double peak = -INFINITY, total = 0;
  for (std::size_t k = 0; k < scores_; ++k)
    if (k != target_) peak = std::max(peak, others[k]);
  if (!by_probability_) return own[target_] - peak;
  for (std::size_t k = 0; k < scores_; ++k)
    if (k != target_) total += std::exp(others[k] - peak);
  return own[target_] - peak - std::log(total);
}

}  // namespace scfe
