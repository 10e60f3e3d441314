// Log-density of a mixture of diagonal Gaussians (a KDE is one with a shared spread), with gradient.
//
//     e_i = log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²,   log q = peak + log sum_i exp(e_i - peak)
//     grad_j = sum_i r_i s_ij² (c_ij - x_j),                 r_i = exp(e_i - peak) / sum
//
// Differences, not the expanded square: no cancellation however narrow the kernel. The peak keeps the
// sum alive far from the data, where a naive one would give gradient 0 and stall the solver; where the
// squares overflow, the floor on e_i makes all components weigh the same: still the way back.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float lowest_exponent = -1e30F;

struct Pair {
  Vec left, right;
};
Pair load_pair(const float* from) { return {load(from), load(from + vec_lanes)}; }
void store_pair(float* to, Pair value) {
  store(to, value.left);
  store(to + vec_lanes, value.right);
}
Pair scaled(Pair value, Pair by) { return {value.left * by.left, value.right * by.right}; }

constexpr size_t step = 2 * vec_lanes;

// exponents[i] = e_i for two vectors of lanes; returns their peak. A NaN is the second operand of max: it
// stays.
Pair fill_exponents(const Mixture& m, Const x, size_t lane, float* exponents) {
  const Vec floor = spread(lowest_exponent);
  Pair peak{floor, floor};
  for (size_t i = 0; i < m.components; ++i) {
    const float* centre = m.centres + i * m.features;
    const float* scale = m.inverse_stds + (m.shared ? 0 : i * m.features);
    Pair sum{};
    for (size_t j = 0; j < m.features; ++j) {
      const Pair at = load_pair(x.data + j * x.stride + lane);
      const Vec left = (at.left - centre[j]) * scale[j], right = (at.right - centre[j]) * scale[j];
      sum.left += left * left;
      sum.right += right * right;
    }
    const Pair e{max(floor, m.log_weights[i] - 0.5F * sum.left),
                 max(floor, m.log_weights[i] - 0.5F * sum.right)};
    store_pair(exponents + i * step, e);
    peak = {max(peak.left, e.left), max(peak.right, e.right)};
  }
  return peak;
}

// exponents[i] becomes exp(e_i - peak); returns their sum.
Pair fill_weights(size_t components, Pair peak, float* exponents) {
  Pair total{};
  for (size_t i = 0; i < components; ++i) {
    const Pair e = load_pair(exponents + i * step);
    const Pair p{exp(e.left - peak.left), exp(e.right - peak.right)};
    store_pair(exponents + i * step, p);
    total.left += p.left;
    total.right += p.right;
  }
  return total;
}

// `width` features at once, so that their sums do not wait for each other.
template <size_t width>
void fill_gradient(const Mixture& m, size_t first, const float* at, size_t stride, const float* weights,
                   Pair inverse_total, float* gradient, size_t gradient_stride) {
  Pair x[width], sum[width] = {};
  for (size_t j = 0; j < width; ++j) x[j] = load_pair(at + j * stride);
  for (size_t i = 0; i < m.components; ++i) {
    const Pair r = load_pair(weights + i * step);
    const float* centre = m.centres + i * m.features + first;
    const float* scale = m.inverse_stds + (m.shared ? 0 : i * m.features) + first;
    for (size_t j = 0; j < width; ++j) {
      const float curvature = scale[j] * scale[j];
      sum[j].left += r.left * ((centre[j] - x[j].left) * curvature);
      sum[j].right += r.right * ((centre[j] - x[j].right) * curvature);
    }
  }
  for (size_t j = 0; j < width; ++j)
    store_pair(gradient + j * gradient_stride, scaled(sum[j], inverse_total));
}

}  // namespace

void mixture(const Mixture& m, Const x, float* value, Mutable gradient, Mutable responsibilities,
             float* scratch, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += step) {
    const Pair peak = fill_exponents(m, x, lane, scratch);
    const Pair total = fill_weights(m.components, peak, scratch);
    store_pair(value + lane, {peak.left + log(total.left), peak.right + log(total.right)});
    const Pair inverse{1.0F / total.left, 1.0F / total.right};
    size_t j = 0;
    const auto features = [&]<size_t width>() {
      fill_gradient<width>(m, j, x.data + j * x.stride + lane, x.stride, scratch, inverse,
                           gradient.data + j * gradient.stride + lane, gradient.stride);
      j += width;
    };
    if (gradient.data) {
      while (j + 3 <= m.features) features.template operator()<3>();
      while (j < m.features) features.template operator()<1>();
    }
    if (responsibilities.data)
      for (size_t i = 0; i < m.components; ++i)
        store_pair(responsibilities.data + i * responsibilities.stride + lane,
                   scaled(load_pair(scratch + i * step), inverse));
  }
}

}  // namespace scfe::kernel::SCFE_ISA
