#include "plausibility/tree_kde.h"

#include <algorithm>
#include <cmath>

namespace scfe {

TreeKde::TreeKde(RowTree tree, RowTree::Effort effort, std::span<const double> inverse_bandwidth,
                 double log_norm)
    : tree_(std::move(tree)),
      effort_(effort),
      inverse_(inverse_bandwidth.begin(), inverse_bandwidth.end()),
      log_norm_(log_norm) {}

void TreeKde::anchor(std::span<const float>, std::span<float> anchor) const {
  std::ranges::fill(anchor, 0.0F);
}

void TreeKde::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*,
                       float* scratch) const {
  float *y = scratch, *slope = scratch + features(), *rest = slope + features();
  for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
    for (std::size_t j = 0; j < features(); ++j) y[j] = x[j][lane] * static_cast<float>(inverse_[j]);
    const RowTree::Sum sum = tree_.sum(y, effort_, gradient ? slope : nullptr, rest);
    value[lane] = sum.log_total - static_cast<float>(log_norm_);
    if (!gradient) continue;
    for (std::size_t j = 0; j < features(); ++j)
      (*gradient)[j][lane] = slope[j] * static_cast<float>(inverse_[j]);
  }
}

void TreeKde::curvature(std::span<const float>, std::span<const int> support, std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) kappa[s] = inverse_[support[s]] * inverse_[support[s]];
}

void TreeKde::save(ByteWriter& out) const {
  tree_.save(out);
  out.put(effort_.share);
  out.put(effort_.closed);
  out.put_list(inverse_);
  out.put(log_norm_);
}

TreeKde TreeKde::load(ByteReader& in) {
  RowTree tree = RowTree::load(in, kernel::kernels());
  const RowTree::Effort effort{in.get<float>(), in.get<float>()};
  const auto inverse = in.get_list<double>();
  in.require(inverse.size() == tree.features(), "a width for each feature", inverse.size());
  in.require(effort.share > 0 && effort.closed >= 0, "a share above 0", effort.share);
  const auto log_norm = in.get<double>();
  return {std::move(tree), effort, inverse, log_norm};
}

}  // namespace scfe
