#include "data/number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/helper/uniform.h"

namespace scfe::test {
namespace {

TEST(Number, ReadsWholeCellsOnly) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number(" +2e3 "), 2000.0);
  EXPECT_EQ(parse_number("-0.25"), -0.25);
  EXPECT_EQ(parse_number(".5"), 0.5);
  for (const char* cell :
       {"", " ", "x", "1.5x", "1,5", "1 2", "nan", "inf", "-inf", "1e999", "+-1", "++1", "0x10", "1_000"})
    EXPECT_FALSE(parse_number(cell)) << cell;
}

TEST(Number, ShortestTextReadsBackToTheSameBits) {
  Uniform random(2);
  for (int i = 0; i < 20000; ++i) {
    const double value = (random.chance(0.5) ? 1 : -1) * random.logarithmic(1e-20, 1e20);
    ASSERT_EQ(parse_number(number_text(value)), value);
  }
  EXPECT_EQ(number_text(100000), "100000");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(0.00001), "0.00001");
  EXPECT_EQ(number_text(1e300), "1e+300");
}

TEST(Number, DecimalsAreThoseOfTheColumn) {
  EXPECT_EQ(number_text(12.5, 2), "12.5");
  EXPECT_EQ(number_text(12.005, 2), "12.01");
  EXPECT_EQ(number_text(-0.001, 2), "0");
  EXPECT_EQ(number_text(100, 0), "100");
  EXPECT_EQ(number_text(3.0, 4), "3");
}

TEST(Number, CountsDecimals) {
  const std::pair<const char*, int> cases[] = {{"1", 0},       {"1.250", 2},  {"0.0", 0},  {"-3.14159", 5},
                                               {"1.5e-3", 4},  {"1.5E+3", 0}, {"1e-7", 7}, {"1200e-1", 0},
                                               {"1230e-2", 1}, {" 2.5 ", 1}};
  for (const auto& [cell, decimals] : cases) EXPECT_EQ(decimals_of(cell), decimals) << cell;
  Uniform random(3);
  for (int i = 0; i < 2000; ++i) {
    const int decimals = random.integer(0, 9);
    const std::string text = number_text(random(-1000, 1000), decimals);
    const std::size_t point = text.find('.');
    EXPECT_EQ(decimals_of(text), point == std::string::npos ? 0 : static_cast<int>(text.size() - point - 1))
        << text;
  }
}

TEST(Number, StepsHaveDecimals) {
  EXPECT_EQ(decimals_of_step(100), 0);
  EXPECT_EQ(decimals_of_step(0.25), 2);
  EXPECT_EQ(decimals_of_step(0.5), 1);
  for (int decimals = 0; decimals <= 15; ++decimals)
    EXPECT_EQ(decimals_of_step(step_of_decimals(decimals)), decimals);
  EXPECT_FALSE(decimals_of_step(1.0 / 3));
}

TEST(Number, ZerosOfTheColumn) {
  EXPECT_EQ(written_decimals_of("12.50"), 2);
  EXPECT_EQ(written_decimals_of(" 7.0 "), 1);
  for (const char* text : {"12", "12.", "1.5e-3"}) EXPECT_EQ(written_decimals_of(text), 0) << text;
  EXPECT_EQ(padded("12.5", 2), "12.50");
  EXPECT_EQ(padded("-3", 1), "-3.0");
  EXPECT_EQ(padded("12.345", 2), "12.345");  // digits are never removed
  EXPECT_EQ(padded("7", 0), "7");
  EXPECT_EQ(padded("1e+20", 2), "1e+20");
}

}  // namespace
}  // namespace scfe::test
