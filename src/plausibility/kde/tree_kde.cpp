#include "plausibility/kde/tree_kde.h"

#include <algorithm>
#include <array>

namespace scfe {

TreeKde::TreeKde(RowTree tree, const Look& look, std::span<const double> inverse_bandwidth, double log_norm)
    : tree_(std::move(tree)),
      look_(look),
      inverse_(inverse_bandwidth.begin(), inverse_bandwidth.end()),
      log_norm_(log_norm) {}

void TreeKde::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*,
                       float* scratch) const {
  constexpr std::size_t most = RowTree::most_queries;
  float *points = scratch, *slopes = points + most * features(), *rest = slopes + most * features();
  std::array<RowTree::Query, most> queries{};
  for (std::size_t first = 0; first < x.lanes(); first += most) {
    const std::size_t count = std::min(most, x.lanes() - first);
    for (std::size_t l = 0; l < count; ++l) {
      float* y = points + l * features();
      for (std::size_t j = 0; j < features(); ++j) y[j] = x[j][first + l] * static_cast<float>(inverse_[j]);
      queries[l] = {y, gradient ? slopes + l * features() : nullptr};
    }
    tree_.sums({queries.data(), count}, look_.effort, rest);
    for (std::size_t l = 0; l < count; ++l) {
      const float log_sum = queries[l].found.log_total, slope = look_.levelling.derivative(log_sum);
      value[first + l] = look_.levelling(log_sum) - static_cast<float>(log_norm_);
      for (std::size_t j = 0; j < features() && gradient; ++j)
        (*gradient)[j][first + l] = slope * queries[l].gradient[j] * static_cast<float>(inverse_[j]);
    }
  }
}

void TreeKde::curvature(std::span<const float>, std::span<const int> support, std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) kappa[s] = inverse_[support[s]] * inverse_[support[s]];
}

void TreeKde::save(ByteWriter& out) const {
  tree_.save(out);
  const auto& [effort, levelling] = look_;
  for (const float number : {effort.share, effort.closed, effort.tilt, effort.level, levelling.offset,
                             levelling.slope, levelling.low, levelling.high})
    out.put(number);
  out.put_list(inverse_);
  out.put(log_norm_);
}

TreeKde TreeKde::load(ByteReader& in) {
  RowTree tree = RowTree::load(in, kernel::kernels());
  Look look;
  auto& [effort, levelling] = look;
  for (float* number : {&effort.share, &effort.closed, &effort.tilt, &effort.level, &levelling.offset,
                        &levelling.slope, &levelling.low, &levelling.high})
    *number = in.get<float>();
  const auto inverse = in.get_list<double>();
  in.require(inverse.size() == tree.features(), "a width for each feature", inverse.size());
  in.require(effort.share > 0 && effort.closed >= 0, "a share above 0", effort.share);
  in.require(levelling.low <= levelling.high, "a range from its low end to its high", levelling.high);
  const auto log_norm = in.get<double>();
  return {std::move(tree), look, inverse, log_norm};
}

}  // namespace scfe
