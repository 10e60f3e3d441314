// The few hot loops, compiled for each instruction set and chosen at run time; the rest of the code
// knows no instruction set. Arrays are [feature][lane] with a stride; `lanes` is a multiple of 16 and
// every lane sees the same operations in the same order, so its bits do not depend on its place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace scfe::kernel {

struct Const {
  const float* data;
  std::size_t stride;
};
struct Mutable {
  float* data;
  std::size_t stride;
};

// log sum_i exp(log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²), its gradient and the responsibilities.
struct Mixture {
  std::size_t components, features;
  const float* centres;       // [component][feature]
  const float* inverse_stds;  // [component][feature], or [feature] when shared
  bool shared;                // one spread for all components (KDE)
  const float* log_weights;   // [component]
};

// y = f(W x + b), f by its number in kernel/activation.h.
struct Linear {
  std::size_t out, in;
  const float* weight;       // [out][in]
  const float* bias;         // [out], or null
  const std::int32_t* rows;  // the rows of x to read, -1: zeros; null: 0, 1, ... in order
  int activation;
  float parameter;  // of the activation
};

// Centres in groups of sixteen, [group][feature][16], for one point at a time.
struct Packed {
  std::size_t groups, features;
  const float* centres;
  const float* inverse_stds;  // like the centres; null: 1
  const float* log_weights;   // [group][16]
};
// The same with centres rounded to bfloat16, two in a word: [group][feature][8], place i in the lower and
// i + 8 in the upper half.
struct Halved {
  std::size_t groups, features;
  const std::uint32_t* words;
  const float* log_weights;  // [group][16]
};
// A sum of exponentials over several Packed: sum of `total` times e^peak.
struct PackedSum {
  float peak;     // starts at or below every exponent: -1e30
  float* total;   // [16]
  float* moment;  // [feature][16], or null
};

struct Kernels {
  const char* name;

  // y[o] = bias[o] + sum_i weight[o * in + i] x[i]
  void (*dense)(std::size_t out, std::size_t in, const float* weight, const float* bias, Const x, Mutable y,
                std::size_t lanes);

  void (*linear)(const Linear& map, Const x, Mutable y, std::size_t lanes);

  // gradient.data and responsibilities.data may be null; scratch holds 16 * components floats.
  void (*mixture)(const Mixture& mixture, Const x, float* value, Mutable gradient, Mutable responsibilities,
                  float* scratch, std::size_t lanes);

  // y = activation(x) and dx = dy * activation'(x), for `count` contiguous values; kind: kernel/activation.h
  void (*activate)(int kind, float parameter, const float* x, float* y, std::size_t count);
  void (*activate_gradient)(int kind, float parameter, const float* x, const float* dy, float* dx,
                            std::size_t count);

  // e[group * 16 + place] = log_weight - 1/2 sum_j (s_j (x_j - c_j))², at least -1e30; x has `features`
  // numbers
  void (*packed_exponents)(const Packed& packed, const float* x, float* e);
  // Adds exp(e) to the totals and exp(e) s² (c - x) to the moments.
  void (*packed_sum)(const Packed& packed, const float* x, const float* e, PackedSum& sum);
  // Both at once for e = shift + log_weight + sum_j c_j x_j and s = 1.
  void (*halved_sum)(const Halved& rows, const float* x, float shift, PackedSum& sum);
};

// The best this machine runs, decided once.
const Kernels& kernels();
// Every set that this machine can run, for tests: baseline first.
std::size_t kernel_sets(const Kernels* const** sets);

}  // namespace scfe::kernel
