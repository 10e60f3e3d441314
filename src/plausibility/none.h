// No plausibility term: log q(x) = 0 everywhere, so every floor is met.
#pragma once

#include <algorithm>

#include "plausibility/fit.h"
#include "support/bytes.h"

namespace scfe {

class NoDensity : public Density {
 public:
  explicit NoDensity(std::size_t features) : features_(features) {}

  std::size_t features() const override { return features_; }
  std::size_t scratch(std::size_t) const override { return 0; }
  void evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*, float*) const override {
    std::fill_n(value, x.padded_lanes(), 0.0F);
    if (!gradient) return;
    for (std::size_t j = 0; j < features_; ++j) std::fill_n((*gradient)[j], x.padded_lanes(), 0.0F);
  }
  void curvature(std::span<const float>, std::span<const int> support,
                 std::span<double> kappa) const override {
    std::fill_n(kappa.begin(), support.size(), 0.0);
  }

  void save(ByteWriter& out) const { out.put(std::uint64_t{features_}); }
  static NoDensity load(ByteReader& in) {
    return NoDensity(static_cast<std::size_t>(in.get<std::uint64_t>()));
  }

 private:
  std::size_t features_;
};

inline FittedDensity fit_none(const Matrix& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  return {std::make_shared<NoDensity>(rows.cols), {0.0}, "none"};
}
inline FittedDensity fit_none_levels(const MixedRows& rows, const DensityOptions& options) {
  check_density_input(rows, options);
  return {std::make_shared<NoDensity>(rows.columns), {0.0}, "none"};
}

}  // namespace scfe
