// to[c][r] = from[r][c], in squares of four by four; the rest at the edges is copied one by one.
#include "kernel/isa/loops.h"

namespace scfe::kernel::SCFE_ISA {
namespace {

constexpr size_t side = 4;
using Four [[gnu::vector_size(16), gnu::aligned(4)]] = float;

Four four(const float* from) { return *reinterpret_cast<const Four*>(from); }
void put(float* to, Four value) { *reinterpret_cast<Four*>(to) = value; }

void square(Const from, Mutable to) {
  const Four a = four(from.data), b = four(from.data + from.stride);
  const Four c = four(from.data + 2 * from.stride), d = four(from.data + 3 * from.stride);
  const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  const Four AB = __builtin_shufflevector(a, b, 2, 6, 3, 7), CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  put(to.data, __builtin_shufflevector(ab, cd, 0, 1, 4, 5));
  put(to.data + to.stride, __builtin_shufflevector(ab, cd, 2, 3, 6, 7));
  put(to.data + 2 * to.stride, __builtin_shufflevector(AB, CD, 0, 1, 4, 5));
  put(to.data + 3 * to.stride, __builtin_shufflevector(AB, CD, 2, 3, 6, 7));
}

}  // namespace

void transpose(size_t rows, size_t columns, Const from, Mutable to) {
  const size_t whole = columns / side * side;
  size_t r = 0;
  for (; r + side <= rows; r += side)
    for (size_t c = 0; c < whole; c += side)
      square({from.data + r * from.stride + c, from.stride}, {to.data + c * to.stride + r, to.stride});
  for (size_t i = 0; i < rows; ++i)
    for (size_t c = i < r ? whole : 0; c < columns; ++c)
      to.data[c * to.stride + i] = from.data[i * from.stride + c];
}

}  // namespace scfe::kernel::SCFE_ISA
