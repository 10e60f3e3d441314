#include "objective/far_rows.h"

#include <algorithm>
#include <cmath>

#include "objective/evaluate.h"

namespace scfe {
namespace {

constexpr double far = 10;        // in the work space, where training rows are about 1
constexpr double dust = 0x1p-20;  // of the sums: sixteen times the rounding of one number

bool is_far(const Instance& instance) {
  return std::ranges::any_of(instance.factual, [](double u) { return std::abs(u) > far; });
}

// sum_j |d margin / d x_j| |x_j|, the slopes at u.
double size_of_sums(Terms& terms, const Block& u, const Block& anchors, const Instance& instance) {
  const Space& space = terms.wished().space;
  terms.evaluate(u, anchors, {1, false, false});
  double sum = 0;
  for (std::size_t j = 0; j < space.columns(); ++j) {
    const std::size_t f = space.feature_of(j);
    if (!space.is_category(f))
      sum += std::abs(terms.margin_gradient(0)[j][0] * instance.values[f] / space.range(j));
  }
  return std::isfinite(sum) ? sum : 0;
}

}  // namespace

void raise_margins_far_out(const Wished& wished, std::span<Instance> instances) {
  if (std::ranges::none_of(instances, is_far)) return;
  Terms terms(wished, 1);
  Block u(terms.columns(), 1), anchors(terms.columns(), 1);
  for (Instance& instance : instances) {
    if (!is_far(instance)) continue;
    double largest = 0;
    for (const bool near : {false, true}) {
      for (std::size_t j = 0; j < u.features(); ++j)
        u[j][0] = static_cast<float>(near ? std::clamp(instance.factual[j], 0.0, 1.0) : instance.factual[j]);
      largest = std::max(largest, size_of_sums(terms, u, anchors, instance));
    }
    instance.extra_margin = dust * largest;
  }
}

}  // namespace scfe
