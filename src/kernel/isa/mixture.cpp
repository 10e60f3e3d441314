// Log-density of a mixture of diagonal Gaussians (a KDE is one with a shared spread), with gradient.
//
//     e_i = log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²,   log q = peak + log sum_i exp(e_i - peak)
//     grad_j = sum_i r_i s_ij² (c_ij - x_j),                 r_i = exp(e_i - peak) / sum
//
// Differences, not the expanded square: no cancellation however narrow the kernel. The peak keeps the
// sum alive far from the data, where a naive one would give gradient 0 and stall the solver.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

struct Pair {
  Vec left, right;
};
Pair load_pair(const float* from) { return {load(from), load(from + vec_lanes)}; }
void store_pair(float* to, Pair value) {
  store(to, value.left);
  store(to + vec_lanes, value.right);
}

}  // namespace

void mixture(const Mixture& m, Const x, float* value, Mutable gradient, Mutable responsibilities,
             float* scratch, size_t lanes) {
  const size_t n = m.components, d = m.features, step = 2 * vec_lanes;
  for (size_t lane = 0; lane < lanes; lane += step) {
    Pair peak{spread(-__builtin_inff()), spread(-__builtin_inff())};
    for (size_t i = 0; i < n; ++i) {
      const float* centre = m.centres + i * d;
      const float* scale = m.inverse_stds + (m.shared ? 0 : i * d);
      Pair sum{};
      for (size_t j = 0; j < d; ++j) {
        const Pair at = load_pair(x.data + j * x.stride + lane);
        const Vec left = (at.left - centre[j]) * scale[j], right = (at.right - centre[j]) * scale[j];
        sum.left += left * left;
        sum.right += right * right;
      }
      const Pair e{m.log_weights[i] - 0.5F * sum.left, m.log_weights[i] - 0.5F * sum.right};
      store_pair(scratch + i * step, e);
      peak = {max(peak.left, e.left), max(peak.right, e.right)};
    }
    Pair total{};
    for (size_t i = 0; i < n; ++i) {
      const Pair e = load_pair(scratch + i * step);
      const Pair p{exp(e.left - peak.left), exp(e.right - peak.right)};
      store_pair(scratch + i * step, p);
      total.left += p.left;
      total.right += p.right;
    }
    for (size_t l = 0; l < vec_lanes; ++l) {
      value[lane + l] = peak.left[l] + __builtin_logf(total.left[l]);
      value[lane + vec_lanes + l] = peak.right[l] + __builtin_logf(total.right[l]);
    }
    if (!gradient.data && !responsibilities.data) continue;
    for (size_t i = 0; i < n; ++i) {
      const Pair p = load_pair(scratch + i * step);
      store_pair(scratch + i * step, {p.left / total.left, p.right / total.right});
    }
    if (gradient.data) {
      for (size_t j = 0; j < d; ++j) {
        const Pair at = load_pair(x.data + j * x.stride + lane);
        Pair g{};
        for (size_t i = 0; i < n; ++i) {
          const Pair r = load_pair(scratch + i * step);
          const float c = m.centres[i * d + j], s = m.inverse_stds[m.shared ? j : i * d + j];
          g.left += r.left * (s * s) * (c - at.left);
          g.right += r.right * (s * s) * (c - at.right);
        }
        store_pair(gradient.data + j * gradient.stride + lane, g);
      }
    }
    if (responsibilities.data)
      for (size_t i = 0; i < n; ++i)
        store_pair(responsibilities.data + i * responsibilities.stride + lane, load_pair(scratch + i * step));
  }
}

}  // namespace scfe::kernel::SCFE_ISA
