// Round numbers along an axis, over ranges of any size and place.
#include "report/ticks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace scfe::app {
namespace {

TEST(RoundTicks, lie_in_the_range_are_evenly_spaced_and_read_as_they_are) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(-1, 1), size(-9, 12);
  std::size_t checked = 0;
  for (int round = 0; round < 20000; ++round) {
    const double width = std::pow(10, size(random)), lo = place(random) * 10 * width, hi = lo + width;
    const std::size_t about = 2 + static_cast<std::size_t>(round) % 6;
    const std::vector<Tick> ticks = round_ticks(lo, hi, about);
    ASSERT_GE(ticks.size(), 1U) << lo << " " << hi;
    ASSERT_LE(ticks.size(), 2 * about + 1) << lo << " " << hi;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      ASSERT_TRUE(ticks[i].value >= lo && ticks[i].value <= hi) << lo << " " << hi;
      if (i > 0) ASSERT_NE(ticks[i].text, ticks[i - 1].text) << lo << " " << hi;
      if (std::abs(lo) + width < 1e7 && width > 1e-4)
        ASSERT_NEAR(std::stod(ticks[i].text), ticks[i].value, 1e-6 * width);
      if (i > 1)
        ASSERT_NEAR(ticks[i].value - ticks[i - 1].value, ticks[1].value - ticks[0].value, 1e-9 * width);
      ++checked;
    }
  }
  EXPECT_GT(checked, 40000U);
}

TEST(RoundTicks, of_whole_numbers_are_whole) {
  for (const double hi : {1.0, 2.0, 3.0, 7.0, 60.0}) {
    const std::vector<Tick> ticks = round_ticks(-0.5, hi + 0.5, 6, 1);
    ASSERT_GE(ticks.size(), 2U);
    for (const Tick& tick : ticks) EXPECT_EQ(tick.text, std::to_string(std::lround(tick.value)));
  }
}

TEST(RoundTicks, no_range_has_none) {
  constexpr double huge = std::numeric_limits<double>::max(), none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(round_ticks(-huge, huge, 5).empty());
  EXPECT_TRUE(round_ticks(1, 1, 5).empty());
  EXPECT_TRUE(round_ticks(none, 1, 5).empty());
  EXPECT_TRUE(round_ticks(1e300, std::nextafter(1e300, huge), 5).empty());
}

}  // namespace
}  // namespace scfe::app
