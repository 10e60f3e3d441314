// What is promised as a share of a number's range means the range of the training rows in every work space.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "scfe/diagnostics.h"
#include "scfe/explainer.h"
#include "tests/helper/clouds.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

constexpr SpaceKind spaces[] = {SpaceKind::minmax, SpaceKind::zscore, SpaceKind::none};
constexpr double units[] = {1e-8, 1, 3e4, 1};  // numbers of very different sizes

// A network of numbers in these units, and rows that it labels itself.
struct Units {
  std::shared_ptr<const Model> model =
      dense_network({{test::matrix(2, 4,
                                   {1 / units[0], -0.5, 2 / units[2], 0.3,  //
                                    -0.4 / units[0], 1, 0.7 / units[2], -1}),
                      {0.1, -0.2},
                      "tanh"},
                     {test::matrix(1, 2, {3, -2}), {0.2}, "none"}});
  Training training;

  Units() {
    test::Uniform random(9);
    training.rows = Matrix(120, 4);
    for (std::size_t i = 0; i < training.rows.rows; ++i)
      for (std::size_t j = 0; j < 4; ++j) training.rows[i][j] = units[j] * test::normal(random);
    training.labels = test::labels_of(*model, training.rows);
    training.features.assign(4, Feature{.step = 0});
  }
  Matrix factuals() const { return test::first_rows(training.rows, 40); }
  Explainer fit(Options options, SpaceKind space) const {
    options.space = space;
    return {model, training, options};
  }
  // The largest difference of a number, as a share of its range.
  double farthest(const std::vector<double>& a, const std::vector<double>& b) const {
    double share = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      double lo = INFINITY, hi = -INFINITY;
      for (std::size_t i = 0; i < training.rows.rows; ++i) {
        lo = std::min(lo, training.rows[i][j]);
        hi = std::max(hi, training.rows[i][j]);
      }
      share = std::max(share, std::abs(a[j] - b[j]) / (hi - lo));
    }
    return share;
  }
};

TEST(Spaces, robust_means_the_same_box_in_each) {
  const Units data;
  Options options;
  options.density = DensityKind::none;
  options.robust = 0.02;
  std::vector<Stability> first;
  for (const SpaceKind space : spaces) {
    const Explainer explainer = data.fit(options, space);
    const Matrix rows = data.factuals();
    const std::vector<int> predicted = explainer.predict(rows);
    const std::vector<Stability> found = Diagnostics(explainer).stability(
        rows, options, std::vector<Target>(predicted.begin(), predicted.end()));
    if (first.empty()) first = found;
    ASSERT_EQ(found.size(), 40U);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].margin, first[i].margin) << name_of(space) << ", row " << i;
      EXPECT_EQ(found[i].holds, first[i].holds) << name_of(space) << ", row " << i;
    }
  }
  const auto holds = std::ranges::count_if(first, [](const Stability& s) { return s.holds; });
  EXPECT_GE(holds, 10);
  EXPECT_LE(holds, 38);
}

TEST(Spaces, robust_answers_hold_within_the_range_in_each) {
  const Units data;
  Options options;
  options.density = DensityKind::none;
  options.robust = 0.02;
  for (const SpaceKind space : spaces) {
    const Explainer explainer = data.fit(options, space);
    std::size_t found = 0;
    for (const Explanation& e : explainer.explain(data.factuals())) {
      if (!e.found()) continue;
      ++found;
      const Stability judged =
          Diagnostics(data.fit(options, SpaceKind::minmax))
              .stability(test::one_row(e.counterfactual), options, std::vector<Target>{Target(e.target)})[0];
      EXPECT_TRUE(judged.holds) << name_of(space);
    }
    EXPECT_GE(found, 20U) << name_of(space);
  }
}

TEST(Spaces, diverse_values_differ_by_a_tenth_of_the_range_in_each) {
  const Units data;
  Options options;
  options.density = DensityKind::none;
  options.answers = 3;
  options.diverse = Diverse::values;
  options.hints = false;
  for (const SpaceKind space : spaces) {
    std::size_t pairs = 0;
    for (const auto& list : data.fit(options, space).explain_all(data.factuals(), options))
      for (std::size_t a = 0; a < list.size(); ++a)
        for (std::size_t b = a + 1; b < list.size(); ++b) {
          if (!list[a].found() || !list[b].found()) continue;
          ++pairs;
          EXPECT_GE(data.farthest(list[a].counterfactual, list[b].counterfactual), 0.1 - 1e-9)
              << name_of(space);
        }
    EXPECT_GE(pairs, 60U) << name_of(space);
  }
}

// A list of moves is as fine as the range of its number, so a narrow column has moves in every space.
TEST(Spaces, narrow_columns_have_moves_in_each) {
  const Units data;
  Options options;
  options.density = DensityKind::none;
  options.distance = Distance::l1;
  options.max_changes = 1;
  for (const SpaceKind space : spaces) {
    const Explainer explainer = data.fit(options, space);
    std::vector<Feature> features = explainer.features();
    for (std::size_t j = 1; j < 4; ++j) features[j].immutable = true;
    std::size_t found = 0;
    for (const Explanation& e : explainer.with_features(features).explain(data.factuals(), options))
      found += e.found() && e.changes.size() == 1;
    EXPECT_GE(found, 20U) << name_of(space);
  }
}

}  // namespace
}  // namespace scfe
