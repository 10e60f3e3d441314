#include <gtest/gtest.h>

#include <cmath>

#include "scfe/block.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

struct Case {
  std::size_t out, in, lanes;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t out : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 20, 31})
    for (const std::size_t in : {1, 2, 7, 13, 64})
      for (std::size_t lanes = lane_step; lanes <= 160; lanes += 2 * lane_step)
        all.push_back({out, in, lanes});
  all.push_back({1, 1, 128});
  all.push_back({50, 50, 96});
  return all;
}

Block random_block(Random& random, std::size_t features, std::size_t lanes) {
  Block block(features, lanes);
  for (std::size_t j = 0; j < features; ++j)
    for (std::size_t l = 0; l < lanes; ++l) block[j][l] = static_cast<float>(random.uniform(-2, 2));
  return block;
}

TEST(Dense, matches_a_double_loop) {
  Random random(1);
  for (const auto* set : kernel_sets())
    for (const auto [out, in, lanes] : cases()) {
      const std::vector<float> weight = random.floats(out * in, -1, 1), bias = random.floats(out, -1, 1);
      const Block x = random_block(random, in, lanes);
      for (const float* offset : {bias.data(), static_cast<const float*>(nullptr)}) {
        Block y(out + 1, lanes);
        y[out][0] = 7;
        set->dense(out, in, weight.data(), offset, {x.data(), x.stride()}, {y.data(), y.stride()}, lanes);
        for (std::size_t o = 0; o < out; ++o)
          for (std::size_t l = 0; l < lanes; ++l) {
            double want = offset ? offset[o] : 0, size = 1;
            for (std::size_t i = 0; i < in; ++i) {
              const double term = double{weight[o * in + i]} * x[i][l];
              want += term;
              size += std::abs(term);
            }
            ASSERT_NEAR(y[o][l], want, 6e-7 * size)
                << set->name << ' ' << out << 'x' << in << " lanes " << lanes;
          }
        EXPECT_EQ(y[out][0], 7.0F) << "wrote past the last output";
      }
    }
}

TEST(Dense, bits_depend_on_the_lane_alone) {
  Random random(2);
  for (const auto* set : kernel_sets())
    for (const std::size_t out : {1, 4, 6, 13})
      for (const std::size_t in : {3, 13, 50}) {
        const std::vector<float> weight = random.floats(out * in, -1, 1), bias = random.floats(out, -1, 1);
        const Block x = random_block(random, in, 128);
        Block wide(out, 128);
        set->dense(out, in, weight.data(), bias.data(), {x.data(), x.stride()}, {wide.data(), wide.stride()},
                   128);
        for (std::size_t lane = 0; lane < 128; ++lane) {
          const std::size_t lanes = lane_step * (1 + lane % 4), place = (lane * 7) % lanes;
          Block one(in, lanes), y(out, lanes);
          for (std::size_t i = 0; i < in; ++i) one[i][place] = x[i][lane];
          set->dense(out, in, weight.data(), bias.data(), {one.data(), one.stride()}, {y.data(), y.stride()},
                     lanes);
          for (std::size_t o = 0; o < out; ++o)
            EXPECT_EQ(y[o][place], wide[o][lane]) << set->name << ' ' << lane;
        }
      }
}

}  // namespace
}  // namespace scfe::test
