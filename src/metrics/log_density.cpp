#include "plausibility/catalogue.h"
#include "scfe/metrics.h"

namespace scfe {

LogDensity::LogDensity(DensityKind kind, const Matrix& rows, const std::vector<int>& group, bool paper) {
  DensityOptions options;
  options.group = group;
  options.paper = paper;
  density_ = fit_density(kind, rows, options).density;
}

double LogDensity::operator()(std::span<const double> x) const {
  Block point(x.size(), 1), anchors(x.size(), 1);
  for (std::size_t j = 0; j < x.size(); ++j) point[j][0] = static_cast<float>(x[j]);
  std::vector<float> value(point.padded_lanes()), scratch(density_->scratch(1));
  density_->evaluate(point, anchors, value.data(), nullptr, nullptr, scratch.data());
  return value[0];
}

}  // namespace scfe
