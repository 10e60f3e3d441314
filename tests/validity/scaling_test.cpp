#include "actionability/scaling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

const Matrix rows = test::matrix(4, 3, {1, 5, -2, 3, 5, 4, 2, 5, 0, 6, 5, 2});

TEST(Scaling, min_max_maps_the_rows_onto_the_unit_interval) {
  const Scaling scaling = min_max_scaling(rows);
  const Matrix work = scaling.to_work(rows);
  EXPECT_EQ(work[0][0], 0);
  EXPECT_EQ(work[3][0], 1);
  EXPECT_EQ(work[1][2], 1);
  EXPECT_DOUBLE_EQ(work[2][0], 0.2);
}

TEST(Scaling, z_scores_have_mean_0_and_deviation_1) {
  const Matrix work = z_score_scaling(rows).to_work(rows);
  for (const std::size_t j : {0U, 2U}) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += work[i][j] / 4;
    for (std::size_t i = 0; i < 4; ++i) square += std::pow(work[i][j] - mean, 2) / 3;
    EXPECT_NEAR(mean, 0, 1e-12);
    EXPECT_NEAR(square, 1, 1e-12);
  }
}

TEST(Scaling, round_trips_and_constant_columns_stay_finite) {
  const Scaling all[] = {min_max_scaling(rows), z_score_scaling(rows), no_scaling(3)};
  for (const Scaling& scaling : all) {
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double u = scaling.to_work(j, rows[i][j]);
        EXPECT_TRUE(std::isfinite(u));
        EXPECT_NEAR(scaling.to_original(j, u), rows[i][j], 1e-12);
      }
    EXPECT_EQ(scaling.to_work(1, 5), scaling.offset[1] == 0 ? 5 : 0);
  }
  EXPECT_EQ(z_score_scaling(test::matrix(1, 2, {3, 4})).scale[0], 1);
  EXPECT_THROW(min_max_scaling(Matrix(0, 3)), Error);
  EXPECT_THROW(z_score_scaling(Matrix(0, 3)), Error);
}

}  // namespace
}  // namespace scfe
