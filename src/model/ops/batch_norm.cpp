// BatchNormalization at inference: y = scale (x - mean) / sqrt(var + epsilon) + bias, per channel.
// It becomes an Affine step, which later merges with the linear map or convolution before it.
#include <cmath>

#include "model/ops/affine.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"

namespace scfe::onnx::inline SCFE_PRECISION {

void lower_batch_norm(Site& site) {
  const Value& x = site.in(0);
  if (site.integer("training_mode", 0) != 0) site.fail("inference", "training mode");
  if (x.shape.size() < 2) site.fail("(batch, channels ...)", to_text(x.shape));
  const std::size_t channels = dim(x.shape, 1), inner = span_of(x.shape, 2, x.shape.size());
  const std::vector<Real> scale = site.reals(1), bias = site.reals(2), mean = site.reals(3),
                          var = site.reals(4);
  for (const auto* values : {&scale, &bias, &mean, &var})
    if (values->size() != channels)
      site.fail("statistics for " + std::to_string(channels) + " channels", std::to_string(values->size()));
  const Real epsilon = site.real("epsilon", 1e-5F);
  std::vector<Real> by(x.rows()), plus(x.rows());
  for (std::size_t i = 0; i < by.size(); ++i) {
    const std::size_t c = i / inner % channels;
    by[i] = scale[c] / std::sqrt(var[c] + epsilon);
    plus[i] = bias[c] - mean[c] * by[i];
  }
  site.out(0, affine(site.build, x, std::move(by), std::move(plus)));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
