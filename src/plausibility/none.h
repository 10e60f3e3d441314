// No plausibility term: log q(x) = 0 everywhere, so every floor is met.
#pragma once

#include "plausibility/fit.h"
#include "support/bytes.h"

namespace scfe {

class NoDensity : public Density {
 public:
  explicit NoDensity(std::size_t features) : features_(features) {}

  std::size_t features() const override { return features_; }
  std::size_t scratch(std::size_t) const override { return 0; }
  void anchor(std::span<const float> factual, std::span<float> anchor) const override;
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override;
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override;

  void save(ByteWriter& out) const;
  static NoDensity load(ByteReader& in);

 private:
  std::size_t features_;
};

FittedDensity fit_none(const Matrix& rows, const DensityOptions& options);

}  // namespace scfe
