#include "far_rows.h"

#include <algorithm>
#include <cmath>

#include "solver/lanes.h"

namespace scfe {
namespace {

constexpr double far = 10;        // in the work space, where training rows are about 1
constexpr double dust = 0x1p-20;  // of the sums: sixteen times the rounding of one number

bool is_far(const Instance& instance) {
  return std::ranges::any_of(instance.factual, [](double u) { return std::abs(u) > far; });
}

class Slopes {
 public:
  explicit Slopes(const Wished& wished)
      : space_(wished.space),
        terms_(wished, 1),
        u_(space_.columns(), 1),
        x_(space_.inputs(), 1),
        anchors_(space_.columns(), 1),
        row_(space_) {}

  // sum_j |d margin / d x_j at `there`| |x_j|
  double operator()(std::span<const double> there, std::span<const double> x) {
    row_.set(space_, there);
    terms_.set_values(0, there);
    for (std::size_t j = 0; j < row_.columns.size(); ++j) u_[j][0] = row_.columns[j];
    for (std::size_t i = 0; i < row_.inputs.size(); ++i) x_[i][0] = row_.inputs[i];
    terms_.evaluate(u_, x_, anchors_, {1, false, false});
    double sum = 0;
    for (std::size_t j = 0; j < row_.columns.size(); ++j) {
      const std::size_t f = space_.feature_of(j);
      if (!space_.is_category(f)) sum += std::abs(terms_.margin_gradient(0)[j][0] * x[f] / space_.range(j));
    }
    return std::isfinite(sum) ? sum : 0;
  }

 private:
  const Space& space_;
  Terms terms_;
  Block u_, x_, anchors_;
  Row row_;
};

}  // namespace

void raise_margins_far_out(const Wished& wished, std::span<Instance> instances) {
  if (std::ranges::none_of(instances, is_far)) return;
  const Space& space = wished.space;
  Slopes slopes(wished);
  for (Instance& instance : instances) {
    if (!is_far(instance)) continue;
    std::vector<double> near = instance.values;
    for (std::size_t f = 0; f < near.size(); ++f) {
      const std::size_t j = space.first(f);
      if (!space.is_category(f)) near[f] = space.to_original(j, std::clamp(instance.factual[j], 0.0, 1.0));
    }
    instance.extra_margin =
        dust * std::max(slopes(instance.values, instance.values), slopes(near, instance.values));
  }
}

}  // namespace scfe
