// Plausibility floors are calibrated for rows with categories, too: about the requested share of entirely
// held-out rows lies below the floor.
#include <gtest/gtest.h>

#include "tests/helper/shared.h"
#include "tests/plausibility/mixed.h"

namespace scfe {
namespace {

using test::Mixed;

// Every row is held out once: its density is fitted on the other parts.
double share_of_held_out(DensityKind name, const Mixed& data, std::size_t parts) {
  const std::vector<std::size_t> order = Random(7).permutation(data.rows.rows);
  DensityOptions options;
  options.group = data.group;
  double below = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<std::size_t> rest, inside;
    for (std::size_t i = 0; i < order.size(); ++i) (i % parts == part ? inside : rest).push_back(order[i]);
    const FittedDensity fitted = fit_density(name, test::some_rows(data.rows, rest), options);
    below += test::share_below(fitted, test::some_rows(data.rows, inside), 0.1) *
             static_cast<double>(inside.size());
  }
  return below / static_cast<double>(order.size());
}

void expect_calibrated(DensityKind name, double share) {
  EXPECT_GE(share, 0.05) << name_of(name);
  EXPECT_LE(share, 0.12) << name_of(name);
}

TEST(MixedCalibration, german_credit) {
  const auto file = std::filesystem::path(SCFE_SOURCE_DIR) / "data" / "german_credit.csv";
  for (const char* risk : {"good", "bad"}) {
    const Mixed data = test::read_mixed(file.string(), risk);
    ASSERT_EQ(data.rows.cols, 61U);
    for (const DensityKind name : {DensityKind::mixture, DensityKind::kde, DensityKind::knn}) {
      SCOPED_TRACE(risk);
      expect_calibrated(name, share_of_held_out(name, data, 3));
    }
  }
}

TEST(MixedCalibration, rows_made_up) {
  const Mixed data = test::mixed_clusters(600, 5), fresh = test::mixed_clusters(3000, 6);
  DensityOptions options;
  options.group = data.group;
  for (const DensityKind name : {DensityKind::mixture, DensityKind::kde, DensityKind::knn})
    expect_calibrated(name, test::share_below(fit_density(name, data.rows, options), fresh.rows, 0.1));
}

TEST(MixedCalibration, adult_where_nine_of_ten_rows_share_the_capital_gain_0) {
  SCFE_NEEDS_SHARED("data/adult.csv");
  const Mixed all =
      test::read_mixed((test::shared_dir() / "data/adult.csv").string(), ">50K", {"fnlwgt", "education"});
  const std::vector<std::size_t> order = Random(7).permutation(all.rows.rows);
  const std::span<const std::size_t> mine = std::span(order).first(1500),
                                     others = std::span(order).subspan(1500, 1500);
  const Matrix rows = test::some_rows(all.rows, mine), fresh = test::some_rows(all.rows, others);
  DensityOptions options;
  options.group = all.group;
  for (const DensityKind name : {DensityKind::mixture, DensityKind::kde, DensityKind::knn})
    expect_calibrated(name, test::share_below(fit_density(name, rows, options), fresh, 0.1));
}

}  // namespace
}  // namespace scfe
