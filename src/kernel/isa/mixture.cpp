// Log-density of a mixture of diagonal Gaussians (a KDE is one with a shared spread), with gradient.
//
//     e_i = log_weight_i - 1/2 sum_j d_ij²,  d_ij = s_ij (x_j - c_ij)
//     log q = peak + log sum_i exp(e_i - peak),   r_i = exp(e_i - peak) / sum
//     grad_j = - sum_i r_i s_ij d_ij;   shared:  s_j² (sum_i r_i c_ij - x_j)
//
// Differences, not the expanded square: no cancellation however narrow the kernel. Where a shared spread is
// wide enough to do without, the square is expanded around the middle of the centres, which costs half:
//
//     e_i = offset_i + sum_j slope_ij x_j  (- 1/2 sum_j (s_j (x_j - middle_j))², the same for all i)
//
// The peak keeps the sum alive far from the data, where a naive one would give gradient 0 and stall the
// solver; where the squares overflow, the floor on e_i makes all components weigh the same: still the way
// back.
//
// Five components by two vectors of lanes stay in registers for the exponents, six features by two for the
// gradient (three with spreads of their own); each sum runs in one order whatever the tile.
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

// exponents[i] = e_i of `count` components from `first` on, for two vectors of lanes.
template <size_t count, bool shared>
void exponents_of(const Mixture& m, size_t first, const float* x, size_t stride, float* exponents) {
  const float* scale = m.inverse_stds + (shared ? 0 : first * m.features);
  const float* centre = m.centres + first * m.features;
  Pair sum[count] = {};
  for (size_t j = 0; j < m.features; ++j) {
    const Pair at = load_pair(x + j * stride);
    SCFE_UNROLL
    for (size_t i = 0; i < count; ++i) {
      const float s = scale[(shared ? 0 : i * m.features) + j], c = centre[i * m.features + j];
      const Vec left = (at.left - c) * s, right = (at.right - c) * s;
      sum[i].left += left * left;
      sum[i].right += right * right;
    }
  }
  const Vec floor = spread(lowest_exponent);
  SCFE_UNROLL
  for (size_t i = 0; i < count; ++i) {
    const float weight = m.log_weights[first + i];
    store_pair(exponents + (first + i) * step,
               {max(floor, weight - 0.5F * sum[i].left), max(floor, weight - 0.5F * sum[i].right)});
  }
}

using Exponents = void (*)(const Mixture& m, size_t first, const float* x, size_t stride, float* exponents);
template <bool shared>
constexpr Exponents exponents_by[] = {nullptr,
                                      exponents_of<1, shared>,
                                      exponents_of<2, shared>,
                                      exponents_of<3, shared>,
                                      exponents_of<4, shared>,
                                      exponents_of<5, shared>};

// In tiles of even size: few sums would wait for each other.
template <bool shared>
void fill_exponents(const Mixture& m, const float* x, size_t stride, float* exponents) {
  size_t i = 0;
  for (size_t tiles = (m.components + 4) / 5; tiles > 0; --tiles) {
    const size_t count = (m.components - i + tiles - 1) / tiles;
    exponents_by<shared>[count](m, i, x, stride, exponents);
    i += count;
  }
}

// A NaN is the second operand of max: it stays.
Pair peak_of(size_t components, const float* exponents, size_t stride) {
  Pair peak{spread(lowest_exponent), spread(lowest_exponent)};
  for (size_t i = 0; i < components; ++i) {
    const Pair e = load_pair(exponents + i * stride);
    peak = {max(peak.left, e.left), max(peak.right, e.right)};
  }
  return peak;
}

// exponents[i] becomes exp(e_i - peak); returns their sum.
Pair fill_weights(size_t components, Pair peak, float* exponents, size_t stride) {
  Pair total{};
  for (size_t i = 0; i < components; ++i) {
    const Pair e = load_pair(exponents + i * stride);
    const Pair p{exp_share(e.left - peak.left), exp_share(e.right - peak.right)};
    store_pair(exponents + i * stride, p);
    total.left += p.left;
    total.right += p.right;
  }
  return total;
}

// 1/2 |s (x - middle)|²
Pair far_from_middle(const Mixture& m, const float* x, size_t stride) {
  Pair sum{};
  for (size_t j = 0; j < m.features; ++j) {
    const Pair at = load_pair(x + j * stride);
    const Vec left = (at.left - m.expanded.middle[j]) * m.inverse_stds[j],
              right = (at.right - m.expanded.middle[j]) * m.inverse_stds[j];
    sum.left += left * left;
    sum.right += right * right;
  }
  return {0.5F * sum.left, 0.5F * sum.right};
}

struct Point {
  const float* x;
  size_t stride;
  const float* weights;
  size_t weights_stride;
  Pair inverse_total;
};

template <size_t width>
void shared_gradient(const Mixture& m, size_t first, const Point& at, Mutable gradient) {
  Pair sum[width] = {};
  for (size_t i = 0; i < m.components; ++i) {
    const Pair r = load_pair(at.weights + i * at.weights_stride);
    const float* centre = m.centres + i * m.features + first;
    SCFE_UNROLL
    for (size_t j = 0; j < width; ++j) {
      sum[j].left += r.left * centre[j];
      sum[j].right += r.right * centre[j];
    }
  }
  SCFE_UNROLL
  for (size_t j = first; j < first + width; ++j) {
    const float curvature = m.inverse_stds[j] * m.inverse_stds[j];
    const Pair x = load_pair(at.x + j * at.stride), mean = scaled(sum[j - first], at.inverse_total);
    store_pair(gradient.data + j * gradient.stride,
               {curvature * (mean.left - x.left), curvature * (mean.right - x.right)});
  }
}

// `width` features at once, so that their sums do not wait for each other.
template <size_t width>
void own_gradient(const Mixture& m, size_t first, const Point& at, Mutable gradient) {
  Pair x[width], sum[width] = {};
  SCFE_UNROLL
  for (size_t j = 0; j < width; ++j) x[j] = load_pair(at.x + (first + j) * at.stride);
  for (size_t i = 0; i < m.components; ++i) {
    const Pair r = load_pair(at.weights + i * at.weights_stride);
    const float *centre = m.centres + i * m.features + first,
                *scale = m.inverse_stds + i * m.features + first;
    SCFE_UNROLL
    for (size_t j = 0; j < width; ++j) {
      const float curvature = scale[j] * scale[j];
      sum[j].left += r.left * ((centre[j] - x[j].left) * curvature);
      sum[j].right += r.right * ((centre[j] - x[j].right) * curvature);
    }
  }
  SCFE_UNROLL
  for (size_t j = 0; j < width; ++j)
    store_pair(gradient.data + (first + j) * gradient.stride, scaled(sum[j], at.inverse_total));
}

using Gradient = void (*)(const Mixture& m, size_t first, const Point& at, Mutable gradient);
constexpr Gradient shared_gradients[] = {nullptr,
                                         shared_gradient<1>,
                                         shared_gradient<2>,
                                         shared_gradient<3>,
                                         shared_gradient<4>,
                                         shared_gradient<5>,
                                         shared_gradient<6>};

constexpr Gradient own_gradients[] = {nullptr, own_gradient<1>, own_gradient<2>, own_gradient<3>};

void fill_gradient(const Mixture& m, const Point& at, Mutable gradient) {
  size_t j = 0;
  if (m.shared) {
    for (size_t tiles = (m.features + 5) / 6; tiles > 0; --tiles) {  // of even size: few sums would wait
      const size_t width = (m.features - j + tiles - 1) / tiles;
      shared_gradients[width](m, j, at, gradient);
      j += width;
    }
  } else {
    for (size_t tiles = (m.features + 2) / 3; tiles > 0; --tiles) {
      const size_t width = (m.features - j + tiles - 1) / tiles;
      own_gradients[width](m, j, at, gradient);
      j += width;
    }
  }
}

}  // namespace

void mixture(const Mixture& m, Const x, float* value, Mutable gradient, Mutable responsibilities,
             float* scratch, size_t lanes) {
  const bool expanded = m.expanded.slopes != nullptr;
  const size_t most = expanded ? expanded_lanes : step;
  for (size_t start = 0, width = 0; start < lanes; start += width) {
    width = lanes - start < most ? lanes - start : most;
    if (expanded)
      dense(m.components, m.features, m.expanded.slopes, m.expanded.offsets, {x.data + start, x.stride},
            {scratch, width}, width);
    else
      (m.shared ? fill_exponents<true> : fill_exponents<false>)(m, x.data + start, x.stride, scratch);
    for (size_t lane = start; lane < start + width; lane += step) {
      float* e = scratch + (lane - start);
      const Pair common = expanded ? far_from_middle(m, x.data + lane, x.stride) : Pair{};
      const Pair peak = peak_of(m.components, e, width);
      const Pair total = fill_weights(m.components, peak, e, width);
      store_pair(value + lane,
                 {peak.left - common.left + log(total.left), peak.right - common.right + log(total.right)});
      const Pair inverse{1.0F / total.left, 1.0F / total.right};
      if (gradient.data)
        fill_gradient(m, {x.data + lane, x.stride, e, width, inverse},
                      {gradient.data + lane, gradient.stride});
      if (responsibilities.data)
        for (size_t i = 0; i < m.components; ++i)
          store_pair(responsibilities.data + i * responsibilities.stride + lane,
                     scaled(load_pair(e + i * width), inverse));
    }
  }
}

}  // namespace scfe::kernel::SCFE_ISA
