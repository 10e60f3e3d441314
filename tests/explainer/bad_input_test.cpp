// Errors of training data, questions and rows: which field, what was expected, what came.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"
#include "scfe/explainer.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::random_network;

TEST(BadInput, names_field_expected_and_got) {
  const auto model = random_network(3, 1, 121);
  const Training good = labelled_by(*model, 40, 122);
  const auto message = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const auto fit = [&](const auto& spoil) {
    Training training = good;
    Options options;
    spoil(training, options);
    return message([&] { Explainer(model, training, options); });
  };
  EXPECT_EQ(fit([](Training& t, Options&) { t.rows = Matrix(0, 3), t.labels.clear(); }),
            "training rows: expected at least one, got 0");
  EXPECT_EQ(fit([](Training& t, Options&) { t.rows.cols = 2; }),
            "training rows: columns: expected 3 (features of the model), got 2");
  EXPECT_EQ(fit([](Training& t, Options&) { t.rows[5][1] = NAN; }),
            "training rows: row 5, column 1: expected a finite number, got nan");
  EXPECT_EQ(fit([](Training& t, Options&) { t.labels.pop_back(); }),
            "labels: expected 40 (one per training row), got 39");
  EXPECT_EQ(fit([](Training& t, Options&) { t.labels[7] = 2; }),
            "labels: row 7: expected a class from 0 to 1, got 2");
  EXPECT_EQ(fit([](Training& t, Options&) { t.features.resize(2); }),
            "features: expected 3 inputs (columns of the training rows), got 2");
  EXPECT_EQ(fit([](Training&, Options& o) { o.max_changes = 0; }),
            "max-changes: expected a whole number from 1 to the number of features, got 0");
  EXPECT_NE(fit([](Training&, Options& o) {
              o.density = DensityKind::knn, o.neighbours = 39;
            }).find("neighbours: expected at most"),
            std::string::npos);
  EXPECT_NE(fit([](Training& t, Options&) {
              t.features.resize(3);
              t.features[1].min = 2;
              t.features[1].max = 1;
            }).find("feature 'x1': range: expected min <= max, got 2 > 1"),
            std::string::npos);
  EXPECT_EQ(message([&] { Explainer(nullptr, good, {}); }), "model: expected a model, got none");

  const Explainer explainer(model, good, {});
  const auto ask = [&](const auto& spoil, std::vector<Target> targets = {}) {
    Matrix factuals = first_rows(good.rows, 2);
    Options options;
    spoil(factuals, options);
    return message([&] { explainer.explain(factuals, options, targets); });
  };
  EXPECT_EQ(ask([](Matrix& f, Options&) { f[1][2] = INFINITY; }),
            "factuals: row 1, column 2: expected a finite number, got inf");
  EXPECT_EQ(ask([](Matrix&, Options& o) { o.target = 2; }),
            "target of row 0: expected a class from 0 to 1, got 2");
  for (const int none : {-1, -2}) {
    EXPECT_EQ(ask([&](Matrix&, Options& o) { o.target = none; }),
              "target: expected a class, other or any, got " + std::to_string(none));
    EXPECT_EQ(ask([](Matrix&, Options&) {}, {none, none}),
              "target of row 0: expected a class from 0 to 1, got " + std::to_string(none));
  }
  EXPECT_EQ(ask([](Matrix&, Options&) {}, {0}), "targets: expected 2 (one per factual), got 1");
  EXPECT_EQ(ask([](Matrix&, Options& o) { o.density = DensityKind::gmm; }),
            "density: expected 'kde' as fitted, or none, got 'gmm'");

  Training one_class = good;
  std::vector<Target> empty_target{1, 1};
  Matrix kept(0, 3);
  std::vector<int> labels;
  for (std::size_t i = 0; i < good.rows.rows; ++i) {
    if (good.labels[i] != 0) continue;
    kept.values.insert(kept.values.end(), good.rows[i].begin(), good.rows[i].end());
    ++kept.rows;
    labels.push_back(0);
  }
  one_class.rows = kept;
  one_class.labels = labels;
  const Explainer lonely(model, one_class, {});
  EXPECT_EQ(
      message([&] { lonely.explain(first_rows(kept, 2), Options{}, empty_target); }),
      "target of row 0: expected a class with correctly classified training rows, got 1, which has none");
}

}  // namespace
}  // namespace scfe
