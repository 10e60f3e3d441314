#include "explainer/metric.h"

#include <numbers>

#include "proximity/squared_l2.h"

namespace scfe {
namespace {

Weighting weighting(const Options& options) {
  return options.distance == Distance::mad ? Weighting::mad : options.weights;
}

}  // namespace

std::vector<double> weights_of_rows(const Options& options, const Scaling& scaling, const Matrix& values) {
  if (weighting(options) == Weighting::mad) return inverse_mad_weights(scaling.to_work(values));
  std::vector<double> weight(values.cols, 1.0);
  if (options.distance != Distance::gower) return weight;
  for (std::size_t f = 0; f < weight.size(); ++f) weight[f] = scaling.scale[f] / scaling.range[f];
  return weight;
}

Space make_space(const Options& options, std::span<const Feature> features, const Scaling& scaling,
                 std::span<const double> weight) {
  const bool gower = options.distance == Distance::gower;
  std::vector<Feature> measured(features.begin(), features.end());
  std::vector<double> of_input(weight.begin(), weight.end());
  std::size_t input = 0;
  double sum = 0;
  for (Feature& feature : measured) {
    if (weighting(options) == Weighting::none) {
      feature.weight = 1;
      feature.distances.clear();
    }
    sum += feature.weight;
    if (!feature.is_category())
      of_input[input] *= feature.weight;
    else if (gower && feature.distances.empty())
      feature.weight *= std::numbers::sqrt2;  // the work space has 1/sqrt(2) for a change of level
    input += feature.width();
  }
  return {
      measured, scaling, of_input, {.squared = is_squared(options.distance), .unit = gower ? 1 / sum : 1.0}};
}

}  // namespace scfe
