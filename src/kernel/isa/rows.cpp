// Plain loops over rows of lanes, which connect the terms of the objective.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

const float* at(Const rows, size_t row) { return rows.data + row * rows.stride; }
float* at(Mutable rows, size_t row) { return rows.data + row * rows.stride; }

}  // namespace

void displace(size_t rows, Const from, Const w, Mutable u, const Affine& inputs, size_t lanes) {
  for (size_t j = 0; j < rows; ++j)
    for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
      const Vec there = load(at(from, j) + lane) + load(at(w, j) + lane);
      store(at(u, j) + lane, there);
      if (inputs.to.data)
        store(at(inputs.to, j) + lane, fma(there, inputs.scale[j], spread(inputs.offset[j])));
    }
}

// The margin is skipped by a blend, because 0 times an infinite gradient would be NaN.
void slope(const Slope& terms, Const w, Mutable gradient, size_t lanes) {
  for (size_t j = 0; j < terms.features; ++j) {
    const Vec weight = spread(2.0F * (terms.weight ? terms.weight[j] : 1.0F));
    const Vec scale = spread(terms.margin.scale ? terms.margin.scale[j] : 1.0F);
    for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
      const Vec there = load(at(w, j) + lane);
      Vec sum = terms.density.data ? fma(weight, there, -(terms.tau * load(at(terms.density, j) + lane)))
                                   : weight * there;
      if (terms.margin.rows.data) {
        const VecInt pulls = load(terms.pull + lane) != 0.0F;
        sum = pulls ? fma(scale, load(at(terms.margin.rows, j) + lane), sum) : sum;
      }
      store(at(gradient, j) + lane, sum);
    }
  }
}

void affine(size_t rows, const float* offset, const float* scale, Const x, Mutable y, size_t lanes) {
  for (size_t j = 0; j < rows; ++j) {
    const Vec base = spread(offset ? offset[j] : 0.0F), by = spread(scale[j]);
    for (size_t lane = 0; lane < lanes; lane += vec_lanes)
      store(at(y, j) + lane, fma(by, load(at(x, j) + lane), base));
  }
}

namespace {

template <size_t abreast>
void squares_at(size_t rows, const float* weight, Const w, float* value, size_t first) {
  Vec sum[abreast] = {};
  for (size_t j = 0; j < rows; ++j) {
    SCFE_UNROLL
    for (size_t v = 0; v < abreast; ++v) {
      const Vec x = load(at(w, j) + first + v * vec_lanes);
      sum[v] = fma(weight ? x * weight[j] : x, x, sum[v]);
    }
  }
  SCFE_UNROLL
  for (size_t v = 0; v < abreast; ++v) store(value + first + v * vec_lanes, sum[v]);
}

}  // namespace

// Two sums side by side hide the latency of the additions.
void squares(size_t rows, const float* weight, Const w, float* value, size_t lanes) {
  size_t first = 0;
  for (; first + vec_lanes < lanes; first += 2 * vec_lanes) squares_at<2>(rows, weight, w, value, first);
  if (first < lanes) squares_at<1>(rows, weight, w, value, first);
}

void attract(size_t rows, const float* weight, Const x, Const to, float* value, Mutable gradient,
             size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    Vec sum{};
    for (size_t j = 0; j < rows; ++j) {
      const Vec away = load(at(to, j) + lane) - load(at(x, j) + lane), weighted = away * weight[j];
      sum = fma(-weighted, away, sum);
      if (gradient.data) store(at(gradient, j) + lane, 2.0F * weighted);
    }
    store(value + lane, sum);
  }
}

}  // namespace scfe::kernel::SCFE_ISA
