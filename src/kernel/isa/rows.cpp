// Plain loops over rows of lanes: what stands between the terms of the equation.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

const float* at(Const rows, size_t row) { return rows.data + row * rows.stride; }
float* at(Mutable rows, size_t row) { return rows.data + row * rows.stride; }

}  // namespace

void add(size_t rows, Const a, Const b, Mutable to, size_t lanes) {
  for (size_t j = 0; j < rows; ++j)
    for (size_t lane = 0; lane < lanes; lane += vec_lanes)
      store(at(to, j) + lane, load(at(a, j) + lane) + load(at(b, j) + lane));
}

void affine(size_t rows, const float* offset, const float* scale, Const x, Mutable y, size_t lanes) {
  for (size_t j = 0; j < rows; ++j) {
    const Vec base = spread(offset ? offset[j] : 0.0F), by = spread(scale[j]);
    for (size_t lane = 0; lane < lanes; lane += vec_lanes)
      store(at(y, j) + lane, base + by * load(at(x, j) + lane));
  }
}

void accumulate(size_t rows, const float* factor, Const from, Mutable to, size_t lanes) {
  for (size_t j = 0; j < rows; ++j)
    for (size_t lane = 0; lane < lanes; lane += vec_lanes)
      store(at(to, j) + lane, load(at(to, j) + lane) + load(factor + lane) * load(at(from, j) + lane));
}

void squares(size_t rows, const float* weight, Const w, float* value, Mutable gradient, size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    Vec sum{};
    for (size_t j = 0; j < rows; ++j) {
      const Vec x = load(at(w, j) + lane), weighted = weight ? x * weight[j] : x;
      sum += weighted * x;
      if (gradient.data) store(at(gradient, j) + lane, 2.0F * weighted);
    }
    store(value + lane, sum);
  }
}

void attract(size_t rows, const float* weight, Const x, Const to, float* value, Mutable gradient,
             size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane += vec_lanes) {
    Vec sum{};
    for (size_t j = 0; j < rows; ++j) {
      const Vec away = load(at(to, j) + lane) - load(at(x, j) + lane), weighted = away * weight[j];
      sum -= weighted * away;
      if (gradient.data) store(at(gradient, j) + lane, 2.0F * weighted);
    }
    store(value + lane, sum);
  }
}

}  // namespace scfe::kernel::SCFE_ISA
