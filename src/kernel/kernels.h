// The few hot loops, compiled for each instruction set and chosen at run time; the rest of the code
// knows no instruction set. Arrays are [feature][lane] with a stride; `lanes` is a multiple of 8 and
// every lane sees the same operations in the same order, so its bits do not depend on its place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernel/convolution.h"

namespace scfe::kernel {

struct Const {
  const float* data;
  std::size_t stride;
};
struct Mutable {
  float* data;
  std::size_t stride;
};

inline constexpr std::size_t mixture_lanes = 64;  // as many go together
// A shared spread's exponents as a linear map (kernel/isa/mixture.cpp); slopes null: as differences.
struct Expanded {
  const float *slopes, *offsets, *middle;  // [component][feature], [component], [feature]
};

// log sum_i exp(log_weight_i - 1/2 sum_j (s_ij (x_j - c_ij))²), its gradient and the responsibilities.
struct Mixture {
  std::size_t components, features;
  const float* centres;       // [component][feature]
  const float* inverse_stds;  // [component][feature], or [feature] when shared
  bool shared;                // one spread for all components (KDE)
  const float* log_weights;   // [component]
  Expanded expanded = {};
};

// y = f(W x + b), f by its number in kernel/activation.h.
struct Linear {
  std::size_t out, in;
  const float* weight;       // [out][in]
  const float* bias;         // [out], or null
  const std::int32_t* rows;  // the rows of x to read, -1: zeros; null: 0, 1, ... in order
  int activation;
  float parameter;  // of the activation
  Const gate = {};  // [out], without an activation: y is 0 where it is not positive (the slope of a ReLU
                    // there); null: everywhere open
};

// At most `most` of the features move, and within their box (kernel/isa/largest.cpp).
inline constexpr std::size_t few_changes = 8;  // as many as descend_to_largest takes
struct Largest {
  std::size_t features, most;  // most >= 1
  Const lo, hi;
};

// z - step gradient. doubt becomes 0 where the value and every gradient are finite, and no number elsewhere.
struct Descent {
  std::size_t features;
  Const z, gradient;
  const float *step, *value;
  float* doubt;
};

// z = next + alpha (next - w), w = next, for lanes with taken > 0; moved: how far at most (may be null).
struct Extrapolation {
  std::size_t features;
  const float *alpha, *taken;
  float* moved;
};

// to[j] = offset[j] + scale[j] u[j]
struct Affine {
  const float *offset, *scale;
  Mutable to;
};

// Rows still to be multiplied by scale[row] (null: 1); data null: nothing.
struct Scaled {
  Const rows = {};
  const float* scale = nullptr;
};

// gradient[j] = 2 weight[j] w[j] - tau density[j] + margin[j], the margin in lanes whose pull is not 0.
struct Slope {
  std::size_t features;
  const float* weight;  // null: 1
  float tau;
  Const density;  // data null: nothing
  Scaled margin;
  const float* pull;
};

// Centres in groups of sixteen, [group][feature][16], for one point at a time.
struct Packed {
  std::size_t groups, features;
  const float* centres;
  const float* inverse_stds;  // like the centres; null: 1
  const float* log_weights;   // [group][16]
};
// 1/2 sum_j (x_j - y_j)², or sum_j |x_j - y_j|.
enum class Distance : std::uint8_t { half_square, absolute };
struct Coarse;      // kernel/coarse.h
struct ListedRows;  // kernel/listed.h
struct Listed;
struct ListedSum;
struct PlainRows;
// A sum of exponentials over several Packed: sum of `total` times e^peak. Groups all of whose exponents are
// below the floor, or out of reach of the peak, are left out.
struct PackedSum {
  float peak;                            // starts at or below every exponent: -1e30
  float* total;                          // [16]
  float* moment;                         // [feature][16], or null
  float floor = -1e30F, reach = 17.33F;  // log 2^25
};

struct Kernels {
  const char* name;

  // y[o] = bias[o] + sum_i weight[o * in + i] x[i]
  void (*dense)(std::size_t out, std::size_t in, const float* weight, const float* bias, Const x, Mutable y,
                std::size_t lanes);

  void (*linear)(const Linear& map, Const x, Mutable y, std::size_t lanes);

  // gradient.data and responsibilities.data may be null; scratch holds as many times `components` floats as
  // there are lanes, at most mixture_lanes.
  void (*mixture)(const Mixture& mixture, Const x, float* value, Mutable gradient, Mutable responsibilities,
                  float* scratch, std::size_t lanes);

  // y = activation(x) and dx = dy * activation'(x), for `count` contiguous values; kind: kernel/activation.h
  void (*activate)(int kind, float parameter, const float* x, float* y, std::size_t count);
  void (*activate_gradient)(int kind, float parameter, const float* x, const float* dy, float* dx,
                            std::size_t count);

  void (*largest)(const Largest& task, Const v, Mutable w, std::size_t lanes);

  // to = z - step gradient, and largest of it (a few at most); true if a lane is in doubt
  bool (*descend)(const Descent& step, Mutable to, std::size_t lanes);
  bool (*descend_to_largest)(const Descent& step, const Largest& task, Mutable w, std::size_t lanes);
  // u = from + w, and inputs[j] = offset[j] + scale[j] u[j] (inputs.to.data may be null)
  void (*displace)(std::size_t rows, Const from, Const w, Mutable u, const Affine& inputs, std::size_t lanes);
  void (*slope)(const Slope& terms, Const w, Mutable gradient, std::size_t lanes);
  // y[j] = offset[j] + scale[j] x[j], offset may be null
  void (*affine)(std::size_t rows, const float* offset, const float* scale, Const x, Mutable y,
                 std::size_t lanes);
  // value = sum_j weight[j] w[j]² (weight may be null)
  void (*squares)(std::size_t rows, const float* weight, Const w, float* value, std::size_t lanes);
  // value = -sum_j weight[j] (x[j] - to[j])², gradient[j] = 2 weight[j] (to[j] - x[j]) (gradient.data may be
  // null)
  void (*attract)(std::size_t rows, const float* weight, Const x, Const to, float* value, Mutable gradient,
                  std::size_t lanes);
  void (*extrapolate)(const Extrapolation& step, Const next, Mutable w, Mutable z, std::size_t lanes);

  // Over images: kernel/convolution.h.
  void (*sweep)(const Sweep& sweep, const ImageBatch& batch);
  void (*pooled_sweep)(const Sweep& sweep, const float* x, float* y, std::uint8_t* code);
  void (*gather)(const Gather& gather, float* y);
  void (*gather_patches)(const Patches& patches, const float* dy, const std::uint8_t* code, float* dx);
  // to[c][r] = from[r][c]
  void (*transpose)(std::size_t rows, std::size_t columns, Const from, Mutable to);
  void (*max_pool)(const MaxPool& pool, const float* x, float* y, std::uint8_t* code);
  // x -> v, [product][tile][channel]; v -> m; and back to y.
  void (*winograd_in)(const WinogradTiles& tiles, const float* x, float* v);
  void (*winograd_multiply)(const WinogradProducts& products, const float* v, float* m);
  void (*winograd_out)(const WinogradTiles& tiles, const float* m, const WinogradEnd& end, float* y);
  // e[group * 16 + place] = log_weight - 1/2 sum_j (s_j (x_j - c_j))², at least -1e30; x has `features`
  // numbers
  void (*packed_exponents)(const Packed& packed, const float* x, float* e);
  // Adds exp(e) to the totals and exp(e) s² (c - x) to the moments.
  void (*packed_sum)(const Packed& packed, const float* x, const float* e, PackedSum& sum);
  // table[feature][16] from levels[feature][16]: 255 is as far as `reach`
  void (*coarse_table)(std::size_t features, const float* levels, const float* x, Distance distance,
                       float reach, std::uint8_t* table);
  // near[point][block]: bit i for row i of the block, where the point's table says it is within reach.
  void (*coarse_near)(const Coarse& rows, const std::uint8_t* const* tables, std::size_t points,
                      std::uint32_t* near);
  // Adds exp(e) and exp(e) (row - x) of the rows in the list, e = -1/2 |row - x|²; scratch holds count
  // numbers and 8 more.
  void (*listed_sum)(const ListedRows& rows, const Listed* list, std::size_t count, const float* x,
                     ListedSum& sum, float* scratch);
  // distances[i] from x to the row list[i]; rows and x have `width` numbers.
  void (*listed_distances)(const PlainRows& rows, const std::uint32_t* list, std::size_t count,
                           const float* x, float* distances);
};

// The best this machine runs, decided once.
const Kernels& kernels();
// Every set that this machine can run, for tests: baseline first.
std::size_t kernel_sets(const Kernels* const** sets);

}  // namespace scfe::kernel
