// The picture of a comparison.
#include "report/front.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scfe::app {
namespace {

// Means that differ in their last bits alone are drawn as equal ones.
TEST(Front, equal_means_have_ticks) {
  Comparison comparison;
  for (const double mean : {2.0, std::nextafter(2.0, 3.0)}) {
    ComparedRow& row = comparison.rows.emplace_back();
    row.report.validity = 1;
    row.report.l2 = row.report.l0 = row.report.lof = {.mean = mean, .count = 5};
  }
  const std::string picture = front_picture(comparison);
  EXPECT_NE(picture.find(">2</text>"), std::string::npos) << picture;
  EXPECT_LT(picture.size(), 8000U);
}

}  // namespace
}  // namespace scfe::app
