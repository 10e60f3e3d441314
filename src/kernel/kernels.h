// The hot loops, compiled for each instruction set and chosen at run time; all other code is independent of
// the instruction set. Arrays are [feature][lane] with a stride. `lanes` is a multiple of 8, and every lane
// gets the same operations in the same order, so its bits do not depend on its position, nor on the set.
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

inline constexpr std::size_t mixture_lanes = 64;  // lanes that are computed together
// The exponents as a linear map, for a spread shared by all components (kernel/isa/mixture.cpp). If slopes is
// null, they are computed from differences.
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
  const std::int32_t* rows;  // the rows of x to read, -1 for zeros; null means 0, 1, ... in order
  int activation;
  float parameter;  // of the activation
  Const gate = {};  // [out], only without activation: y becomes 0 where the gate is not positive, as a ReLU's
                    // slope does; null: no gate
};

// Projection: at most `most` features change, and only within their box (kernel/isa/largest.cpp).
inline constexpr std::size_t few_changes = 8;  // the largest `most` for descend_to_largest
struct Largest {
  std::size_t features, most;  // most >= 1
  Const lo, hi;
};

// z - step gradient. doubt becomes 0 in lanes whose value and gradients are all finite, and NaN in others.
struct Descent {
  std::size_t features;
  Const z, gradient;
  const float *step, *value;
  float* doubt;
};

// z = next + alpha (next - w), then w = next, for lanes with taken > 0. moved receives the largest change of
// a feature and may be null.
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

// Rows that must still be multiplied by scale[row] (null means 1). If rows.data is null, there are none.
struct Scaled {
  Const rows = {};
  const float* scale = nullptr;
};

// gradient[j] = 2 weight[j] w[j] - tau density[j] + margin[j]; the margin only in lanes with pull != 0.
struct Slope {
  std::size_t features;
  const float* weight;  // null means 1
  float tau;
  Const density;  // left out if its data is null
  Scaled margin;
  const float* pull;
};

inline constexpr std::size_t group_size = 16;
// Centres in groups of sixteen, [group][feature][16], that are compared with one point at a time.
struct Packed {
  std::size_t groups, features;
  const float* centres;
  const float* inverse_stds;  // laid out like the centres; null means 1
  const float* log_weights;   // [group][16]
};
// 1/2 sum_j (x_j - y_j)², or sum_j |x_j - y_j|.
enum class Distance : std::uint8_t { half_square, absolute };
struct Coarse;      // kernel/coarse.h
struct ListedRows;  // kernel/listed.h
struct Listed;
struct ListedSum;
struct PlainRows;
// A sum of exponentials over several Packed: (sum of `total`) times e^peak. A group is left out if all its
// exponents are below `floor`, or more than `reach` below the peak.
struct PackedSum {
  float peak;                            // initially -1e30, below every exponent
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

  // gradient.data and responsibilities.data may be null; scratch holds `components` floats for each lane, for
  // at most mixture_lanes lanes.
  void (*mixture)(const Mixture& mixture, Const x, float* value, Mutable gradient, Mutable responsibilities,
                  float* scratch, std::size_t lanes);

  // y = activation(x) and dx = dy * activation'(x), for `count` contiguous values; kind: kernel/activation.h
  void (*activate)(int kind, float parameter, const float* x, float* y, std::size_t count);
  void (*activate_gradient)(int kind, float parameter, const float* x, const float* dy, float* dx,
                            std::size_t count);

  void (*largest)(const Largest& task, Const v, Mutable w, std::size_t lanes);

  // to = z - step gradient; w = `largest` of that (task.most <= few_changes). True if a lane is not finite.
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
  // value = -sum_j weight[j] (x[j] - to[j])², gradient[j] = 2 weight[j] (to[j] - x[j]); gradient.data may be
  // null
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
  // The three parts of Winograd's method: x -> v, [product][tile][channel]; v -> m; m -> y.
  void (*winograd_in)(const WinogradTiles& tiles, const float* x, float* v);
  void (*winograd_multiply)(const WinogradProducts& products, const float* v, float* m);
  void (*winograd_out)(const WinogradTiles& tiles, const float* m, const WinogradEnd& end, float* y);
  // e[group * 16 + place] = log_weight - 1/2 sum_j (s_j (x_j - c_j))², but at least -1e30; x has `features`
  // numbers
  void (*packed_exponents)(const Packed& packed, const float* x, float* e);
  // Adds exp(e) to the totals and exp(e) s² (c - x) to the moments.
  void (*packed_sum)(const Packed& packed, const float* x, const float* e, PackedSum& sum);
  // Computes table[feature][16] from levels[feature][16]; 255 stands for the distance `reach`.
  void (*coarse_table)(std::size_t features, const float* levels, const float* x, Distance distance,
                       float reach, std::uint8_t* table);
  // near[point][block]: bit i is set if row i of the block is within reach by the point's table.
  void (*coarse_near)(const Coarse& rows, const std::uint8_t* const* tables, std::size_t points,
                      std::uint32_t* near);
  // Adds exp(e) and exp(e) (row - x) for each row in the list, with e = -1/2 |row - x|². scratch holds
  // count + 8 numbers.
  void (*listed_sum)(const ListedRows& rows, const Listed* list, std::size_t count, const float* x,
                     ListedSum& sum, float* scratch);
  // distances[i] is the distance from x to the row list[i]; rows and x have `width` numbers.
  void (*listed_distances)(const PlainRows& rows, const std::uint32_t* list, std::size_t count,
                           const float* x, float* distances);
};

// The set in use: the best that this machine can run, or that of use_instruction_set
// (scfe/instruction_set.h).
const Kernels& kernels();
// All sets that this machine can run, the baseline first (for tests).
std::size_t kernel_sets(const Kernels* const** sets);

}  // namespace scfe::kernel
