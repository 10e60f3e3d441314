// Log-density of a mixture of diagonal Gaussians (a KDE is one with a shared spread), with gradient.
//
//     e_i = log_weight_i - 1/2 sum_j d_ij²,  d_ij = s_ij (x_j - c_ij)
//     log q = peak + log sum_i exp(e_i - peak),   r_i = exp(e_i - peak) / sum
//     grad_j = - sum_i r_i s_ij d_ij;   shared:  s_j² (sum_i r_i c_ij - x_j)
//
// The square of the difference is not expanded, so that nothing cancels however narrow the kernel is. If a
// shared spread is wide enough, the square is expanded around the middle of the centres, at half the cost:
//
//     e_i = offset_i + sum_j slope_ij x_j  (- 1/2 sum_j (s_j (x_j - middle_j))², the same for all i)
//
// Subtracting the peak prevents underflow far from the data, where a naive sum would give gradient 0 and
// stall the solver. Where the squares overflow, the lower bound on e_i gives all components the same weight,
// so the gradient still points to the data.
//
// The sums of a tile (components or features by two vectors of lanes) stay in registers. If the number of
// vectors is odd, the last tile has three vectors and fewer sums. The order of each sum is always the same.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr float lowest_exponent = -1e30F;

// A few vectors of lanes that are computed together.
template <size_t vectors>
struct Vectors {
  Vec at[vectors];
};
template <size_t vectors, class F>
Vectors<vectors> each(const F& f) {
  Vectors<vectors> all;
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) all.at[v] = f(v);
  return all;
}
template <size_t vectors>
Vectors<vectors> load_vectors(const float* from) {
  return each<vectors>([&](size_t v) { return load(from + v * vec_lanes); });
}
template <size_t vectors>
void store_vectors(float* to, const Vectors<vectors>& values) {
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) store(to + v * vec_lanes, values.at[v]);
}

// With the initialiser = {}, the compiler would emit a string instruction and keep the sums in memory.
template <size_t count, size_t vectors>
void clear(Vectors<vectors> (&sums)[count]) {
  SCFE_UNROLL
  for (size_t i = 0; i < count; ++i) sums[i] = each<vectors>([](size_t) { return Vec{}; });
}

// How many sums fit the registers beside their operands.
template <size_t vectors>
constexpr size_t sums = vectors == 3 ? 4 : 6;

// Calls run(first, count) for tiles of even size, count <= most. A small last tile would be slow, because its
// few sums wait for each other.
template <class Run>
void in_tiles(size_t count, size_t most, const Run& run) {
  size_t first = 0;
  for (size_t tiles = (count + most - 1) / most; tiles > 0; --tiles) {
    const size_t size = (count - first + tiles - 1) / tiles;
    run(first, size);
    first += size;
  }
}

// The lanes of one tile: the points, and the exponents of the components, later replaced by their weights.
struct Place {
  const float* x;
  size_t stride;
  float* weights;
  size_t weights_stride;
};

// e_i of `count` components from `first` on.
template <size_t vectors, size_t count, bool shared>
void exponents_of(const Mixture& m, size_t first, const Place& place) {
  const float* scale = m.inverse_stds + (shared ? 0 : first * m.features);
  const float* centre = m.centres + first * m.features;
  Vectors<vectors> sum[count];
  clear(sum);
  for (size_t j = 0; j < m.features; ++j) {
    const auto at = load_vectors<vectors>(place.x + j * place.stride);
    SCFE_UNROLL
    for (size_t i = 0; i < count; ++i) {
      const float s = scale[(shared ? 0 : i * m.features) + j], c = centre[i * m.features + j];
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v) {
        const Vec away = (at.at[v] - c) * s;
        sum[i].at[v] = fma(away, away, sum[i].at[v]);
      }
    }
  }
  const Vec floor = spread(lowest_exponent);
  SCFE_UNROLL
  for (size_t i = 0; i < count; ++i) {
    const float weight = m.log_weights[first + i];
    store_vectors(place.weights + (first + i) * place.weights_stride, each<vectors>([&](size_t v) {
                    return max(floor, fma(sum[i].at[v], -0.5F, spread(weight)));
                  }));
  }
}

using Part = void (*)(const Mixture& m, size_t first, const Place& place);
template <size_t vectors, bool shared>
constexpr Part exponents_by[] = {nullptr,
                                 exponents_of<vectors, 1, shared>,
                                 exponents_of<vectors, 2, shared>,
                                 exponents_of<vectors, 3, shared>,
                                 exponents_of<vectors, 4, shared>,
                                 exponents_of<vectors, 5, shared>};

template <size_t vectors, bool shared>
void fill_exponents(const Mixture& m, const Place& place) {
  in_tiles(m.components, vectors == 3 ? 3 : 5,
           [&](size_t first, size_t count) { exponents_by<vectors, shared>[count](m, first, place); });
}

// max returns its second operand if one is NaN, so a NaN exponent makes the peak NaN.
template <size_t vectors>
Vectors<vectors> peak_of(size_t components, const Place& place) {
  auto peak = each<vectors>([](size_t) { return spread(lowest_exponent); });
  for (size_t i = 0; i < components; ++i) {
    const auto e = load_vectors<vectors>(place.weights + i * place.weights_stride);
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) peak.at[v] = max(peak.at[v], e.at[v]);
  }
  return peak;
}

// Replaces the exponents by the weights exp(e_i - peak) and returns their sum.
template <size_t vectors>
Vectors<vectors> fill_weights(size_t components, const Vectors<vectors>& peak, const Place& place) {
  Vectors<vectors> total = {};
  for (size_t i = 0; i < components; ++i) {
    float* weight = place.weights + i * place.weights_stride;
    const auto e = load_vectors<vectors>(weight);
    const auto p = each<vectors>([&](size_t v) { return exp_share(e.at[v] - peak.at[v]); });
    store_vectors(weight, p);
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) total.at[v] += p.at[v];
  }
  return total;
}

// 1/2 |s (x - middle)|²
template <size_t vectors>
Vectors<vectors> far_from_middle(const Mixture& m, const Place& place) {
  Vectors<vectors> sum = {};
  for (size_t j = 0; j < m.features; ++j) {
    const auto at = load_vectors<vectors>(place.x + j * place.stride);
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v) {
      const Vec away = (at.at[v] - m.expanded.middle[j]) * m.inverse_stds[j];
      sum.at[v] = fma(away, away, sum.at[v]);
    }
  }
  return each<vectors>([&](size_t v) { return 0.5F * sum.at[v]; });
}

// The gradient of `width` features from `first` on.
template <size_t vectors, size_t width>
void shared_gradient(const Mixture& m, size_t first, const Place& place, const Vectors<vectors>& inverse,
                     Mutable gradient) {
  Vectors<vectors> sum[width];
  clear(sum);
  const float *weight = place.weights, *centre = m.centres + first;
  const size_t step = place.weights_stride, features = m.features;
  for (size_t i = m.components; i > 0; --i, weight += step, centre += features) {
    const auto r = load_vectors<vectors>(weight);
    SCFE_UNROLL
    for (size_t j = 0; j < width; ++j) {
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v) sum[j].at[v] = fma(r.at[v], centre[j], sum[j].at[v]);
    }
  }
  SCFE_UNROLL
  for (size_t j = 0; j < width; ++j) {
    const float scale = m.inverse_stds[first + j], curvature = scale * scale;
    const auto x = load_vectors<vectors>(place.x + (first + j) * place.stride);
    store_vectors(gradient.data + (first + j) * gradient.stride, each<vectors>([&](size_t v) {
                    return curvature * fma(sum[j].at[v], inverse.at[v], -x.at[v]);
                  }));
  }
}

// The gradient if each component has its own spread; then x takes registers too, and tiles are smaller.
template <size_t vectors, size_t width>
void own_gradient(const Mixture& m, size_t first, const Place& place, const Vectors<vectors>& inverse,
                  Mutable gradient) {
  Vectors<vectors> x[width], sum[width];
  clear(sum);
  SCFE_UNROLL
  for (size_t j = 0; j < width; ++j) x[j] = load_vectors<vectors>(place.x + (first + j) * place.stride);
  for (size_t i = 0; i < m.components; ++i) {
    const auto r = load_vectors<vectors>(place.weights + i * place.weights_stride);
    const float *centre = m.centres + i * m.features + first,
                *scale = m.inverse_stds + i * m.features + first;
    SCFE_UNROLL
    for (size_t j = 0; j < width; ++j) {
      const float curvature = scale[j] * scale[j];
      SCFE_UNROLL
      for (size_t v = 0; v < vectors; ++v)
        sum[j].at[v] = fma(r.at[v], (centre[j] - x[j].at[v]) * curvature, sum[j].at[v]);
    }
  }
  SCFE_UNROLL
  for (size_t j = 0; j < width; ++j)
    store_vectors(gradient.data + (first + j) * gradient.stride,
                  each<vectors>([&](size_t v) { return sum[j].at[v] * inverse.at[v]; }));
}

template <size_t vectors>
using Gradient = void (*)(const Mixture& m, size_t first, const Place& place, const Vectors<vectors>& inverse,
                          Mutable gradient);
template <size_t vectors>
constexpr Gradient<vectors> shared_gradients[] = {nullptr,
                                                  shared_gradient<vectors, 1>,
                                                  shared_gradient<vectors, 2>,
                                                  shared_gradient<vectors, 3>,
                                                  shared_gradient<vectors, 4>,
                                                  shared_gradient<vectors, 5>,
                                                  shared_gradient<vectors, 6>};
template <size_t vectors>
constexpr Gradient<vectors> own_gradients[] = {nullptr, own_gradient<vectors, 1>, own_gradient<vectors, 2>,
                                               own_gradient<vectors, 3>};

template <size_t vectors>
void fill_gradient(const Mixture& m, const Place& place, const Vectors<vectors>& inverse, Mutable gradient) {
  const auto* table = m.shared ? shared_gradients<vectors> : own_gradients<vectors>;
  in_tiles(m.features, m.shared ? sums<vectors> : sums<vectors> / 2,
           [&](size_t first, size_t width) { table[width](m, first, place, inverse, gradient); });
}

struct Answer {
  float* value;
  Mutable gradient, responsibilities;
};

template <size_t vectors>
void answer_at(const Mixture& m, const Place& place, const Answer& answer) {
  const bool expanded = m.expanded.slopes != nullptr;
  if (!expanded) (m.shared ? fill_exponents<vectors, true> : fill_exponents<vectors, false>)(m, place);
  const auto common = expanded ? far_from_middle<vectors>(m, place) : Vectors<vectors>{};
  const auto peak = peak_of<vectors>(m.components, place);
  const auto total = fill_weights(m.components, peak, place);
  store_vectors(answer.value,
                each<vectors>([&](size_t v) { return peak.at[v] - common.at[v] + log(total.at[v]); }));
  const auto inverse = each<vectors>([&](size_t v) { return 1.0F / total.at[v]; });
  if (answer.gradient.data) fill_gradient(m, place, inverse, answer.gradient);
  if (!answer.responsibilities.data) return;
  for (size_t i = 0; i < m.components; ++i) {
    const auto weight = load_vectors<vectors>(place.weights + i * place.weights_stride);
    store_vectors(answer.responsibilities.data + i * answer.responsibilities.stride,
                  each<vectors>([&](size_t v) { return weight.at[v] * inverse.at[v]; }));
  }
}

Mutable from(Mutable rows, size_t lane) { return {rows.data ? rows.data + lane : nullptr, rows.stride}; }

}  // namespace

void mixture(const Mixture& m, Const x, float* value, Mutable gradient, Mutable responsibilities,
             float* scratch, size_t lanes) {
  constexpr decltype(&answer_at<1>) by_vectors[] = {nullptr, answer_at<1>, answer_at<2>, answer_at<3>};
  for (size_t start = 0, width = 0; start < lanes; start += width) {
    width = lanes - start < mixture_lanes ? lanes - start : mixture_lanes;
    if (m.expanded.slopes)
      dense(m.components, m.features, m.expanded.slopes, m.expanded.offsets, {x.data + start, x.stride},
            {scratch, width}, width);
    for (size_t lane = start, vectors = 0; lane < start + width; lane += vectors * vec_lanes) {
      const size_t left = (start + width - lane) / vec_lanes;
      vectors = left == 1 || left == 3 ? left : 2;
      const Place place{x.data + lane, x.stride, scratch + (m.expanded.slopes ? lane - start : 0),
                        m.expanded.slopes ? width : vectors * vec_lanes};
      by_vectors[vectors](m, place, {value + lane, from(gradient, lane), from(responsibilities, lane)});
    }
  }
}

}  // namespace scfe::kernel::SCFE_ISA
