// Compares one point with the rows of a list, one by one. Used when few of many rows matter and they are
// scattered in memory.
//
//     e_i = -1/2 |c_i + o_i - x|²,   total += exp(e_i - peak),  moment += exp(e_i - peak) (c_i + o_i - x)
//
// c_i is relative to the origin o_i of the row's cell and rounded to bfloat16. When a later list raises the
// peak, the earlier sums are rescaled. listed_distances uses rows in full precision.
#include "kernel/listed.h"

#include "kernel/isa/loops.h"
#include "kernel/isa/partial_sums.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

using Halves [[gnu::vector_size(SCFE_VECTOR_BYTES / 2), gnu::aligned(2)]] = uint16_t;
using Words [[gnu::vector_size(SCFE_VECTOR_BYTES)]] = uint32_t;
constexpr float lowest_exponent = -1e30F;

// row - x for vec_lanes features.
Vec difference(const ListedRows& rows, Listed which, const float* x, size_t feature) {
  const Halves halves = *reinterpret_cast<const Halves*>(rows.halves + which.row * rows.width + feature);
  const Words words = __builtin_convertvector(halves, Words) << 16;
  return (load(rows.origins + which.cell * rows.width + feature) - load(x + feature)) +
         reinterpret_cast<Vec>(words);
}

float fill_exponents(const ListedRows& rows, const Listed* list, size_t count, const float* x, float* e) {
  float top = lowest_exponent;
  for (size_t i = 0; i < count; ++i) {
    PartialSums squares;
    for (size_t j = 0; j < rows.width; j += partial_sums)
      for (size_t p = 0; p < sum_vectors; ++p) {
        const Vec d = difference(rows, list[i], x, j + p * vec_lanes);
        squares.part[p] = fma(d, d, squares.part[p]);
      }
    const float exponent = -0.5F * squares.total();
    e[i] = exponent > lowest_exponent ? exponent : lowest_exponent;
    top = e[i] > top ? e[i] : top;
  }
  return top;
}

void raise_peak(ListedSum& sum, size_t width, float peak) {
  const Vec by = exp(spread(sum.peak - peak));
  sum.peak = peak;
  sum.total *= by[0];
  for (size_t j = 0; j < width && sum.moment; j += vec_lanes)
    store(sum.moment + j, load(sum.moment + j) * by);
}

template <size_t vectors>
void add_moments(const ListedRows& rows, const Listed* list, size_t count, const float* x, size_t feature,
                 const float* weights, float* moment) {
  Vec sum[vectors];
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) sum[v] = load(moment + feature + v * vec_lanes);
  for (size_t i = 0; i < count; ++i) {
    SCFE_UNROLL
    for (size_t v = 0; v < vectors; ++v)
      sum[v] = fma(difference(rows, list[i], x, feature + v * vec_lanes), weights[i], sum[v]);
  }
  SCFE_UNROLL
  for (size_t v = 0; v < vectors; ++v) store(moment + feature + v * vec_lanes, sum[v]);
}

template <Distance distance>
void fill_distances(const PlainRows& rows, const uint32_t* list, size_t count, const float* x,
                    float* distances) {
  for (size_t i = 0; i < count; ++i) {
    const float* row = rows.values + list[i] * rows.width;
    PartialSums sum;
    for (size_t j = 0; j < rows.width; j += partial_sums)
      for (size_t p = 0; p < sum_vectors; ++p) {
        const size_t at = j + p * vec_lanes;
        const Vec d = load(row + at) - load(x + at);
        sum.part[p] = distance == Distance::absolute ? sum.part[p] + abs(d) : fma(d, d, sum.part[p]);
      }
    distances[i] = (distance == Distance::absolute ? 1.0F : 0.5F) * sum.total();
  }
}

}  // namespace

void listed_distances(const PlainRows& rows, const uint32_t* list, size_t count, const float* x,
                      float* distances) {
  (rows.distance == Distance::absolute
       ? fill_distances<Distance::absolute>
       : fill_distances<Distance::half_square>)(rows, list, count, x, distances);
}

void listed_sum(const ListedRows& rows, const Listed* list, size_t count, const float* x, ListedSum& sum,
                float* scratch) {
  const float top = fill_exponents(rows, list, count, x, scratch);
  if (top > sum.peak) raise_peak(sum, rows.width, top);
  for (size_t i = count; i % partial_sums != 0; ++i) scratch[i] = lowest_exponent;
  PartialSums whole;
  for (size_t i = 0; i < count; i += partial_sums)
    for (size_t p = 0; p < sum_vectors; ++p) {
      float* at = scratch + i + p * vec_lanes;
      const Vec weight = exp(load(at) - sum.peak);
      store(at, weight);
      whole.part[p] += weight;
    }
  sum.total += whole.total();
  if (!sum.moment) return;
  size_t j = 0;
  for (; j + 3 * vec_lanes <= rows.width; j += 3 * vec_lanes)
    add_moments<3>(rows, list, count, x, j, scratch, sum.moment);
  for (; j < rows.width; j += vec_lanes) add_moments<1>(rows, list, count, x, j, scratch, sum.moment);
}

}  // namespace scfe::kernel::SCFE_ISA
