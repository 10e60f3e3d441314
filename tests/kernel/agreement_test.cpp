// All instruction sets give the same bits in every loop: see kernel/isa/vector.h.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/kernel/every_loop.h"
#include "tests/kernel/kernel_sets.h"

namespace scfe::test {
namespace {

// NaN is NaN, whatever its bits are.
std::uint32_t bits_of(float x) { return std::isnan(x) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(x); }

TEST(Agreement, every_loop_gives_the_same_bits_in_every_set) {
  const EveryLoop reference(*kernel_sets()[0]);
  EXPECT_GE(reference.found().size(), 29U);  // one entry or more for each member of Kernels
  for (const auto* set : kernel_sets()) {
    const EveryLoop other(*set);
    ASSERT_EQ(reference.found().size(), other.found().size());
    for (const auto& [loop, numbers] : reference.found()) {
      const auto& same = other.found().at(loop);
      ASSERT_EQ(numbers.size(), same.size()) << loop;
      std::size_t differ = 0;
      for (std::size_t i = 0; i < numbers.size(); ++i) differ += bits_of(numbers[i]) != bits_of(same[i]);
      EXPECT_EQ(differ, 0U) << loop << " of " << set->name << ", of " << numbers.size() << " numbers";
    }
  }
}

// One rounding, also where computing in double and rounding to float would round twice: sums exactly between
// two floats but for a last bit, results below the normal range, overflow. `affine` is one fused
// multiply-add.
TEST(Agreement, multiply_adds_are_fused_as_the_c_library_fuses_them) {
  Random random(17);
  std::vector<float> a, b, c;
  const auto add = [&](float x, float y, float z) { a.push_back(x), b.push_back(y), c.push_back(z); };
  const auto any = [&] {
    const auto exponent = static_cast<int>(random.below(280)) - 150;
    return static_cast<float>(std::ldexp(random.uniform(-1, 1), exponent));
  };
  for (int i = 0; i < 200'000; ++i) add(any(), any(), any());
  for (int i = 0; i < 200'000; ++i) {  // half a unit of c's last place, but for 2^-46 of it: (1 + d) (1 - d)
    const auto c_of_size =
        static_cast<float>(std::ldexp(1 + static_cast<double>(random.below(1U << 23)) * 0x1p-23, 20));
    const float d = static_cast<float>(random.below(4)) * 0x1p-23F,
                sign = random.below(2) == 0 ? 1.0F : -1.0F;
    add(0x1p-4F * (1 + d), sign * (1 - d), c_of_size);
  }
  for (int i = 0; i < 200'000; ++i) {  // around the smallest normal and the smallest float
    const auto exponent = -76 + static_cast<int>(random.below(6));
    add(static_cast<float>(std::ldexp(1 + static_cast<double>(random.below(16)) * 0x1p-23, exponent)),
        static_cast<float>(std::ldexp(1 + static_cast<double>(random.below(16)) * 0x1p-23, -73)),
        static_cast<float>(std::ldexp(static_cast<double>(random.below(8)), -149)));
  }
  constexpr float infinite = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();
  for (const float x : {0.0F, -0.0F, 1.0F, most, -most, infinite, -infinite, std::nanf("")})
    for (const float y : {0.0F, -0.0F, 1.0F, -1.0F, 2.0F, infinite})
      for (const float z : {0.0F, -0.0F, most, -most, infinite, -infinite, std::nanf("")}) add(x, y, z);
  constexpr std::size_t lanes = 8;
  std::size_t between = 0;
  for (const auto* set : kernel_sets()) {
    std::vector<float> x(lanes), y(lanes);
    for (std::size_t i = 0; i < a.size(); ++i) {
      x.assign(lanes, a[i]);
      set->affine(1, &c[i], &b[i], {x.data(), lanes}, {y.data(), lanes}, lanes);
      const float want = std::fma(a[i], b[i], c[i]);
      ASSERT_EQ(bits_of(y[i % lanes]), bits_of(want))
          << set->name << ' ' << a[i] << ' ' << b[i] << ' ' << c[i];
      between += bits_of(static_cast<float>(double{a[i]} * b[i] + c[i])) != bits_of(want);
    }
  }
  EXPECT_GT(between, 1000U) << "none of them would have been rounded twice";
}

}  // namespace
}  // namespace scfe::test
