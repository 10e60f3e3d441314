// Compares with values from scikit-learn (experiments/fixtures/densities.py).
#include <gtest/gtest.h>

#include "plausibility/kde/kde.h"
#include "plausibility/mixture/em.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/mixture/gmm_full.h"
#include "tests/helper/shared.h"
#include "tests/plausibility/json_matrix.h"
#include "tests/plausibility/samples.h"

namespace scfe {
namespace {

using nlohmann::json;
using test::to_matrix;

const json& fixture() {
  static const json values = test::read_json(test::fixture("densities.json"));
  return values;
}

void expect_values(const Density& density, const json& expected) {
  const Matrix queries = to_matrix(fixture()["queries"]);
  const test::Evaluated found = test::evaluate(density, queries, Matrix(queries.rows, queries.cols));
  for (std::size_t i = 0; i < queries.rows; ++i) {
    const double value = expected[i];
    EXPECT_NEAR(found.value[i], value, 2e-5 * std::max(1.0, std::abs(value))) << "query " << i;
  }
}

TEST(DensityFixture, kde_is_scikit_learns_at_the_same_bandwidth) {
  for (const json& item : fixture()["kde"]) {
    DensityOptions options;
    options.bandwidth = item["bandwidth"];
    expect_values(*fit_kde(to_matrix(fixture()["rows"]), options).density, item["log_density"]);
  }
}

TEST(DensityFixture, mixtures_are_scikit_learns_at_the_same_parameters) {
  for (const bool full : {false, true}) {
    const json& item = fixture()[full ? "full" : "diag"];
    const GaussianMixture mixture{item["weights"], to_matrix(item["means"]), to_matrix(item["covariances"]),
                                  full};
    if (full)
      expect_values(GmmFull(mixture), item["log_density"]);
    else
      expect_values(Gmm(mixture), item["log_density"]);
  }
}

TEST(DensityFixture, em_fits_as_well_as_scikit_learn) {
  for (const json& set : fixture()["fit"]) {
    const Matrix rows = to_matrix(set["rows"]);
    for (const bool full : {false, true}) {
      for (const auto& [components, expected] : set[full ? "full" : "diag"].items()) {
        EmOptions options;
        options.full = full;
        options.least_variance.assign(rows.cols, set["least_variance"]);
        const double bar = expected.get<double>() - 0.01 * std::abs(expected.get<double>());
        EXPECT_GE(fit_em(rows, std::stoul(components), options).log_likelihood, bar)
            << (full ? "full " : "diagonal ") << components << " of " << rows.rows << " rows";
      }
    }
  }
}

}  // namespace
}  // namespace scfe
