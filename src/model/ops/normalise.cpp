// LayerNormalization, RMSNormalization, InstanceNormalization, GroupNormalization,
// MeanVarianceNormalization, LpNormalization.
//
//     y = (x - mean) r,   r = 1 / sqrt(variance + epsilon)
//     dx = r (dy - mean(dy) - y mean(dy y))            (without the centring: dx = r (dy - y mean(dy y)))
#include <cmath>

#include "model/ops/axes.h"
#include "model/ops/elementwise.h"
#include "model/ops/index.h"
#include "model/ops/lower.h"
#include "model/ops/sparse.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

class Normalise : public Operator {
 public:
  Normalise(std::size_t rows, std::size_t group, Real epsilon, bool centred)
      : rows_(rows), group_(group), epsilon_(epsilon), centred_(centred) {}

  void forward(const Forward& run) const override {
    for (std::size_t first = 0; first < rows_; first += group_) {
      const Moments m = moments(run.x[0], first, run.scratch, run.lanes);
      for (std::size_t i = first; i < first + group_; ++i) {
        const Real* x = row(run.x[0], i);
        Real* y = row(run.y, i);
        for (std::size_t l = 0; l < run.lanes; ++l) y[l] = (x[l] - m.mean[l]) * m.inverse[l];
      }
    }
  }

  void backward(const Backward& run) const override {
    Real *mean_dy = row(run.scratch, 2), *mean_dyy = row(run.scratch, 3);
    const Real weight = 1.0F / static_cast<Real>(group_);
    for (std::size_t first = 0; first < rows_; first += group_) {
      const Moments m = moments(run.x[0], first, run.scratch, run.lanes);
      for (std::size_t l = 0; l < run.lanes; ++l) mean_dy[l] = mean_dyy[l] = 0.0F;
      for (std::size_t i = first; i < first + group_; ++i) {
        const Real *y = row(run.y, i), *dy = row(run.dy, i);
        for (std::size_t l = 0; l < run.lanes; ++l) mean_dy[l] += centred_ ? weight * dy[l] : 0.0F;
        for (std::size_t l = 0; l < run.lanes; ++l) mean_dyy[l] += weight * dy[l] * y[l];
      }
      for (std::size_t i = first; i < first + group_; ++i) {
        const Real *y = row(run.y, i), *dy = row(run.dy, i);
        Real* dx = row(run.dx[0], i);
        for (std::size_t l = 0; l < run.lanes; ++l)
          dx[l] = m.inverse[l] * (dy[l] - mean_dy[l] - y[l] * mean_dyy[l]);
      }
    }
  }
  bool overwrites() const override { return true; }
  bool reads_y() const override { return true; }
  std::size_t scratch() const override { return 4; }
  double flops() const override { return 6.0 * static_cast<double>(rows_); }

 private:
  struct Moments {
    const Real *mean, *inverse;
  };
  Moments moments(Const x, std::size_t first, Mutable scratch, std::size_t lanes) const {
    Real *mean = row(scratch, 0), *inverse = row(scratch, 1);
    const Real weight = 1.0F / static_cast<Real>(group_);
    for (std::size_t l = 0; l < lanes; ++l) mean[l] = inverse[l] = 0.0F;
    for (std::size_t i = first; centred_ && i < first + group_; ++i)
      for (std::size_t l = 0; l < lanes; ++l) mean[l] += weight * row(x, i)[l];
    for (std::size_t i = first; i < first + group_; ++i)
      for (std::size_t l = 0; l < lanes; ++l) {
        const Real away = row(x, i)[l] - mean[l];
        inverse[l] += weight * away * away;
      }
    for (std::size_t l = 0; l < lanes; ++l) inverse[l] = 1.0F / std::sqrt(inverse[l] + epsilon_);
    return {mean, inverse};
  }

  std::size_t rows_, group_;
  Real epsilon_;
  bool centred_;
};

// y · scale + bias with broadcasting; both are optional inputs of the node.
Value scale_and_shift(Site& site, Value y, std::size_t scale, std::size_t bias) {
  const std::string where = label(site.node());
  if (site.has(scale)) y = binary(site.build, "Mul", y, site.in(scale), where);
  if (site.has(bias)) y = binary(site.build, "Add", y, site.in(bias), where);
  return y;
}

// A vector over the channels as (channels, 1, ...), so that it broadcasts over space.
Value per_channel_value(Site& site, const Value& vector, std::size_t channels, std::size_t rank) {
  if (vector.rows() != channels) site.fail("a value for each channel", to_text(vector.shape));
  Shape shape(rank - 1, 1);
  shape[0] = static_cast<std::int64_t>(channels);
  return site.build.view(vector, shape);
}

// The optional outputs of LayerNormalization: the mean and 1 / standard deviation.
void moments(Site& site, const Value& x, std::size_t axis, Real epsilon) {
  Builder& build = site.build;
  const std::string where = label(site.node());
  Axes axes{std::vector<bool>(x.shape.size(), false), true};
  for (std::size_t i = axis; i < x.shape.size(); ++i) axes.reduced[i] = true;
  const Value mean = reduce_sum(build, x, axes, true), away = binary(build, "Sub", x, mean, where);
  const Value variance = reduce_sum(build, binary(build, "Mul", away, away, where), axes, true);
  site.out(1, mean);
  site.out(2, unary(build, "Reciprocal",
                    unary(build, "Sqrt", binary(build, "Add", variance, scalar(build, epsilon), where))));
}

// Groups are `group` consecutive rows; centred = false does not subtract the mean (RMS normalisation).
Value normalise(Builder& build, const Value& x, std::size_t group, Real epsilon, bool centred = true) {
  return build.emit(std::make_unique<Normalise>(x.rows(), group, epsilon, centred), {x}, x.shape);
}

}  // namespace

// Normalises over the axes from `axis` on.
void lower_layer_norm(Site& site) {
  const Value& x = site.in(0);
  const std::size_t axis = site.axis(site.integer("axis", -1), x.shape.size());
  const bool centred = site.node().op == "LayerNormalization";
  const std::size_t group = span_of(x.shape, axis, x.shape.size());
  if (group == 0) site.fail("values", to_text(x.shape));
  const Real epsilon = site.real("epsilon", 1e-5F);
  site.out(0, scale_and_shift(site, normalise(site.build, x, group, epsilon, centred), 1, 2));
  if (site.wants(1) || site.wants(2)) moments(site, x, axis, epsilon);
}

void lower_instance_norm(Site& site) {
  const Value& x = site.in(0);
  if (x.shape.size() < 3) site.fail("(batch, channels, space ...)", to_text(x.shape));
  const std::size_t channels = dim(x.shape, 1), group = span_of(x.shape, 2, x.shape.size());
  if (group == 0) site.fail("values", to_text(x.shape));
  const std::string where = label(site.node());
  Value y = normalise(site.build, x, group, site.real("epsilon", 1e-5F));
  y = binary(site.build, "Mul", y, per_channel_value(site, site.in(1), channels, x.shape.size()), where);
  site.out(
      0, binary(site.build, "Add", y, per_channel_value(site, site.in(2), channels, x.shape.size()), where));
}

// Scale and bias are per group before operator set 21, and per channel since.
void lower_group_norm(Site& site) {
  const Value& x = site.in(0);
  const std::int64_t groups = site.integer("num_groups", 0);
  if (x.shape.size() < 2 || groups < 1 || x.shape[1] % groups != 0 || x.rows() == 0)
    site.fail("channels divisible by num_groups", to_text(x.shape) + " and " + std::to_string(groups));
  const std::size_t channels = dim(x.shape, 1), each = channels / static_cast<std::size_t>(groups);
  const std::string where = label(site.node());
  Value y = normalise(site.build, x, each * span_of(x.shape, 2, x.shape.size()), site.real("epsilon", 1e-5F));
  const auto spread = [&](const Value& value) {
    if (value.rows() == channels) return per_channel_value(site, value, channels, x.shape.size());
    if (value.rows() != static_cast<std::size_t>(groups))
      site.fail("a value for each group or channel", to_text(value.shape));
    std::vector<std::size_t> positions;
    for (std::size_t c = 0; c < channels; ++c) positions.push_back(c / each);
    return per_channel_value(site, take(site.build, value, 0, positions), channels, x.shape.size());
  };
  y = binary(site.build, "Mul", y, spread(site.in(1)), where);
  site.out(0, binary(site.build, "Add", y, spread(site.in(2)), where));
}

// (x - mean) / (standard deviation + 1e-9) over the given axes.
void lower_mean_variance_norm(Site& site) {
  const Value& x = site.in(0);
  const std::string where = label(site.node());
  auto given = site.integers("axes");
  if (given.empty()) given = {0, 2, 3};
  Axes axes{std::vector<bool>(x.shape.size(), false), true};
  for (const std::int64_t axis : given) axes.reduced[site.axis(axis, x.shape.size())] = true;
  const Value away = binary(site.build, "Sub", x, reduce_sum(site.build, x, axes, true), where);
  const Value variance = reduce_sum(site.build, binary(site.build, "Mul", away, away, where), axes, true);
  const Value spread =
      binary(site.build, "Add", unary(site.build, "Sqrt", variance), scalar(site.build, 1e-9F), where);
  site.out(0, binary(site.build, "Div", away, spread, where));
}

// x / |x|_p along an axis; 0 where the norm is 0.
void lower_lp_norm(Site& site) {
  const Value& x = site.in(0);
  const std::string where = label(site.node());
  const std::int64_t p = site.integer("p", 2);
  if (p != 1 && p != 2) site.fail("p = 1 or 2", std::to_string(p));
  Axes axes{std::vector<bool>(x.shape.size(), false), true};
  axes.reduced[site.axis(site.integer("axis", -1), x.shape.size())] = true;
  const Value size = p == 1 ? unary(site.build, "Abs", x) : binary(site.build, "Mul", x, x, where);
  const Value sum = reduce_sum(site.build, size, axes);
  const Value norm = p == 1 ? sum : unary(site.build, "Sqrt", sum);
  const Value none = binary(site.build, "Equal", norm, scalar(site.build, 0), where);
  const Value divisor = onnx::where(site.build, none, scalar(site.build, 1), norm, where);
  site.out(0, binary(site.build, "Div", x, divisor, where));
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
