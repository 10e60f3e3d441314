// Tests kernel::Linear with a list of rows that has gaps, and with an activation at the end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel/activation.h"
#include "scfe/block.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

TEST(Linear, picks_rows_and_ends_in_an_activation) {
  Random random(2);
  constexpr std::size_t rows = 9, in = 14;
  std::vector<std::int32_t> list(in);
  for (std::int32_t& row : list)
    row = static_cast<std::int32_t>(random.below(rows + 2)) - 2 < 0
              ? -1
              : static_cast<std::int32_t>(random.below(rows));
  list[3] = -1;
  for (const auto* set : kernel_sets())
    for (std::size_t out = 1; out <= 13; ++out)
      for (const std::size_t lanes :
           {lane_step, 2 * lane_step, 3 * lane_step, 9 * lane_step, 11 * lane_step}) {
        const std::vector<float> weight = random.floats(out * in, -1, 1), bias = random.floats(out, -1, 1);
        Block x(rows, lanes), y(out, lanes), plain(out, lanes);
        for (std::size_t j = 0; j < rows; ++j)
          for (std::size_t l = 0; l < lanes; ++l) x[j][l] = static_cast<float>(random.uniform(-2, 2));
        kernel::Linear map{out, in, weight.data(), bias.data(), list.data(), kernel::activation_none, 0};
        set->linear(map, {x.data(), x.stride()}, {plain.data(), plain.stride()}, lanes);
        map.activation = kernel::activation_leaky_relu;
        map.parameter = 0.25F;
        set->linear(map, {x.data(), x.stride()}, {y.data(), y.stride()}, lanes);
        for (std::size_t o = 0; o < out; ++o)
          for (std::size_t l = 0; l < lanes; ++l) {
            double want = bias[o];
            for (std::size_t i = 0; i < in; ++i)
              if (list[i] >= 0) want += double{weight[o * in + i]} * x[static_cast<std::size_t>(list[i])][l];
            ASSERT_NEAR(plain[o][l], want, 1e-5) << set->name << " out " << out;
            ASSERT_EQ(y[o][l], plain[o][l] > 0 ? plain[o][l] : 0.25F * plain[o][l]) << set->name;
          }
      }
}

}  // namespace
}  // namespace scfe::test
