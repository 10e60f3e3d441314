#include "plausibility/none.h"

#include <algorithm>

namespace scfe {

void NoDensity::anchor(std::span<const float>, std::span<float> anchor) const {
  std::ranges::fill(anchor, 0.0F);
}

void NoDensity::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*, float*) const {
  std::fill_n(value, x.padded_lanes(), 0.0F);
  if (!gradient) return;
  for (std::size_t j = 0; j < features_; ++j) std::fill_n((*gradient)[j], x.padded_lanes(), 0.0F);
}

void NoDensity::curvature(std::span<const float>, std::span<const int> support,
                          std::span<double> kappa) const {
  std::fill_n(kappa.begin(), support.size(), 0.0);
}

void NoDensity::save(ByteWriter& out) const { out.put(std::uint64_t{features_}); }

NoDensity NoDensity::load(ByteReader& in) {
  return NoDensity(static_cast<std::size_t>(in.get<std::uint64_t>()));
}

FittedDensity fit_none(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  return {std::make_shared<NoDensity>(rows.cols), {0.0}, "none"};
}

}  // namespace scfe
