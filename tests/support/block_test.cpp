#include "scfe/block.h"

#include <gtest/gtest.h>

namespace scfe {
namespace {

TEST(Block, lanes_are_padded_and_strides_are_no_power_of_two) {
  for (const std::size_t lanes : {1, 8, 9, 16, 17, 24, 48, 56, 64, 96, 128}) {
    const Block block(3, lanes);
    EXPECT_EQ(block.padded_lanes() % lane_step, 0U);
    EXPECT_GE(block.stride(), block.padded_lanes());
    EXPECT_EQ(block.stride() * sizeof(float) % 64, 0U) << "a cache line";
    if (block.stride() > 16) {
      EXPECT_NE(block.stride() & (block.stride() - 1), 0U) << lanes;
    }
    EXPECT_EQ(block[2][lanes - 1], 0.0F);
  }
}

}  // namespace
}  // namespace scfe
