// Values of a formula over a box lie in its range, and the ends of the range are attained.
#include "actionability/formula_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actionability/rules.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

const std::vector<Feature> names = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};

Expression formula(const std::string& text) { return Rules({"d := " + text}, names).derived[0].formula; }

TEST(FormulaRange, holds_all_that_the_formula_takes) {
  test::Uniform random(4);
  for (const char* text :
       {"a / b", "a - b * c", "-a * (b - c) / 3", "(a + b) / (2 * c)", "1 / (a + 7) - b / c"})
    for (int trial = 0; trial < 50; ++trial) {
      const Expression f = formula(text);
      std::vector<Interval> box;
      for (int i = 0; i < 4; ++i) {
        const double centre = random(-5, 5), radius = random(0, 0.5);
        box.push_back({centre - radius, centre + radius});
      }
      const Interval range = formula_range(f, box);
      const double size = range.hi - range.lo;
      double least = INFINITY, most = -INFINITY;
      for (int i = 0; i < 400; ++i) {
        std::vector<double> values;
        for (const Interval& side : box)
          values.push_back(i % 2 == 0 ? random(side.lo, side.hi) : random.chance(0.5) ? side.lo : side.hi);
        const double value = f.value(values);
        EXPECT_GE(value, range.lo) << text;
        EXPECT_LE(value, range.hi) << text;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      if (std::isfinite(size)) {
        EXPECT_NEAR(least, range.lo, 1e-9 * (1 + size)) << text;
        EXPECT_NEAR(most, range.hi, 1e-9 * (1 + size)) << text;
      }
    }
}

TEST(FormulaRange, is_everything_where_it_may_divide_by_zero) {
  const std::vector<Interval> box = {{1, 2}, {-0.1, 0.1}, {0, 1}, {0, 0}};
  EXPECT_EQ(formula_range(formula("a / b"), box).hi, INFINITY);
  EXPECT_EQ(formula_range(formula("a / c"), box).hi, INFINITY);
  EXPECT_EQ(formula_range(formula("a / c - a / c"), box).lo, -INFINITY);
  EXPECT_EQ(formula_range(formula("0 * (a / b)"), box).lo, -INFINITY);
}

}  // namespace
}  // namespace scfe
