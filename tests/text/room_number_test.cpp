// The printed room is never larger than the true one.
#include "text/room_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "tests/helper/uniform.h"

namespace scfe::app {
namespace {

TEST(RoomNumber, is_cut_and_never_rounded_up) {
  const Feature free{.name = "x"}, cents{.name = "x", .step = 0.01}, whole{.name = "x", .step = 1},
      hundreds{.name = "x", .step = 100}, thirds{.name = "x", .step = 1.0 / 3};
  EXPECT_EQ(room_number(free, 162.98), "162.9");
  EXPECT_EQ(room_number(free, 0.3), "0.3");
  EXPECT_EQ(room_number(free, 1999.99), "1999");
  EXPECT_EQ(room_number(free, 1234567), "1234000");
  EXPECT_EQ(room_number(free, 0.00012349), "0.0001234");
  EXPECT_EQ(room_number(cents, 162.98), "162.98");
  EXPECT_EQ(room_number(cents, 1999.99), "1999.99");
  EXPECT_EQ(room_number(cents, 12345.678), "12345.67");  // the original value is not a multiple of the step
  EXPECT_EQ(room_number(cents, 0.00678), "0.00678");
  EXPECT_EQ(room_number(cents, 0.29), "0.29");
  EXPECT_EQ(room_number(whole, 12999), "12999");
  EXPECT_EQ(room_number(hundreds, 123400), "123400");
  EXPECT_EQ(room_number(thirds, 2.0 / 3), "0.6666");
}

TEST(RoomNumber, is_close) {
  test::Uniform random(1);
  for (const double step : {0.0, 1e-4, 0.01, 0.5, 1.0}) {
    const Feature feature{.name = "x", .step = step};
    for (int i = 0; i < 2000; ++i) {
      const double room = std::max(1.0, step) * random.logarithmic(1e-6, 1e9);
      const double shown = std::strtod(room_number(feature, room).c_str(), nullptr);
      EXPECT_LE(shown, room * (1 + 1e-11));
      EXPECT_GT(shown, room - std::max(step, 0.001 * room) * (1 + 1e-9));
      EXPECT_GT(shown, 0);
    }
  }
}

}  // namespace
}  // namespace scfe::app
