#include "scfe/row_limits.h"

#include <gtest/gtest.h>

#include "scfe/encoder.h"
#include "scfe/explainer.h"
#include "tests/data/scratch.h"
#include "tests/helper/clouds.h"

namespace scfe::test {
namespace {

Encoder encoder() {
  return Encoder(parse_schema(R"({"format": "scfe-schema", "version": 1, "id": "a:b", "features": [
      {"name": "amount", "type": "integer"}, {"name": "savings", "type": "categorical", "levels": ["no", "yes"]},
      {"name": "skill", "type": "ordinal", "levels": ["low", "mid", "high"]}]})",
                              "S.json"));
}

Table query(const std::string& columns, const std::string& cells) {
  const Scratch scratch;
  Table table =
      read_csv(scratch.write("q.csv", "a:b,amount,savings,skill" + columns + "\nx,5,no,mid" + cells + "\n"));
  table.source = "q.csv";
  return table;
}

TEST(RowLimits, AreReadFromColumns) {
  const Table table = query(",amount:min,amount:max,savings:fixed,skill:max", ",2,,yes,mid");
  const Encoder e = encoder();
  EXPECT_TRUE(e.warnings(table).empty());
  const std::vector<RowLimits> limits = e.row_limits(table, std::vector<std::size_t>{0});
  ASSERT_EQ(limits.size(), 1U);
  ASSERT_EQ(limits[0].features.size(), 3U);
  EXPECT_EQ(limits[0].features[0].min, 2);
  EXPECT_FALSE(limits[0].features[0].max);
  EXPECT_TRUE(limits[0].features[1].fixed);
  EXPECT_EQ(limits[0].features[2].max, 1);
  EXPECT_FALSE(limits[0].log_density);
  EXPECT_TRUE(e.row_limits(query("", ""), std::vector<std::size_t>{0}).empty());
  EXPECT_TRUE(e.row_limits(query(",12:30", ",x"), std::vector<std::size_t>{0}).empty());
}

TEST(RowLimits, AFloorOfItsOwnIsNoFeature) {
  const Table table = query(",log_density:min", ",-3.5");
  EXPECT_TRUE(encoder().warnings(table).empty());
  const auto limits = encoder().row_limits(table, std::vector<std::size_t>{0});
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_TRUE(limits[0].features.empty());
  EXPECT_EQ(limits[0].log_density, -3.5);
  EXPECT_FALSE(
      encoder().row_limits(query(",log_density:min", ","), std::vector<std::size_t>{0})[0].log_density);
}

TEST(RowLimits, ErrorsNameThePlace) {
  const auto failure = [](const std::string& column, const std::string& cell) {
    return error_of(
        [&] { (void)encoder().row_limits(query("," + column, "," + cell), std::vector<std::size_t>{0}); });
  };
  EXPECT_EQ(failure("amuont:min", "2"),
            "q.csv: column 'amuont:min': unknown feature 'amuont': did you mean 'amount'?");
  EXPECT_EQ(failure("colour:min", "2"),
            "q.csv: column 'colour:min': expected a feature in front of the colon, got 'colour'");
  EXPECT_EQ(failure("log_density:min", "much"),
            "q.csv: row 1, column 'log_density:min': expected a number, got 'much'");
  EXPECT_EQ(failure("log_density:max", "1"),
            "q.csv: column 'log_density:max': expected a feature in front of the colon, got 'log_density'");
  EXPECT_EQ(failure("amount:max,amount:min", "3,4"),
            "q.csv: row 1, column 'amount:min': expected no more than 3, its amount:max, got 4");
  EXPECT_EQ(failure("amount:min,amount:max", "4,4"), "");
  EXPECT_EQ(failure("amount:mni", "2"),
            "q.csv: column 'amount:mni': expected amount:min, :max or :fixed, got 'mni'");
  EXPECT_EQ(failure("amount:min", "two"), "q.csv: row 1, column 'amount:min': expected a number, got 'two'");
  EXPECT_EQ(failure("savings:min", "no"),
            "q.csv: row 1, column 'savings:min': expected nothing: levels have no range, got 'no'");
  EXPECT_EQ(failure("skill:min", "top"),
            "q.csv: row 1, column 'skill:min': expected one of low, mid, high, got 'top'");
  EXPECT_EQ(
      failure("savings:fixed", "maybe"),
      "q.csv: row 1, column 'savings:fixed': expected 1, true, yes, 0, false, no or nothing, got 'maybe'");
}

TEST(RowLimits, TheNarrowerOfBothHolds) {
  std::vector<Feature> features(2);
  for (Feature& f : features) f.min = 0, f.max = 10, f.step = 1;
  const auto narrowed = [&](FeatureLimit limit) {
    return limited(features, RowLimits{{limit}})[limit.feature];
  };
  EXPECT_EQ(narrowed({.feature = 1, .min = 3}).min, 3);
  EXPECT_EQ(narrowed({.feature = 1, .min = -3}).min, 0);
  EXPECT_EQ(narrowed({.feature = 1, .max = 12}).max, 10);
  EXPECT_TRUE(narrowed({.feature = 0, .fixed = true}).immutable);
  EXPECT_TRUE(narrowed({.feature = 0, .min = 12}).immutable);
  EXPECT_FALSE(narrowed({.feature = 0, .min = 10}).immutable);
  EXPECT_THROW((void)limited(features, RowLimits{{{.feature = 2}}}), Error);
  EXPECT_THROW((void)limited(features, RowLimits{{{.feature = 0, .min = 2, .max = 1}}}), Error);
}

TEST(RowLimits, HoldOnTheAnswersOfEverySolver) {
  const auto model = random_network(5, 1, 3);
  const Training training = labelled_by(*model, 200, 4);
  Options options;
  options.plausible = 0;
  const Matrix factuals = first_rows(training.rows, 40);
  std::vector<RowLimits> limits(factuals.rows);
  Uniform random(7);
  for (std::size_t i = 0; i < limits.size(); ++i)
    for (std::size_t f = 0; f < 5; ++f) {
      if (!random.chance(0.6)) continue;
      const double x = factuals[i][f];
      limits[i].features.push_back(
          {.feature = f, .min = x - random(0, 0.5), .max = x + random(0, 0.5), .fixed = random.chance(0.3)});
    }
  int changed = 0;
  for (const Solver solver : {Solver::search, Solver::apg}) {
    options.solver = solver;
    const Explainer explainer(model, training, options);
    const auto answers = explainer.explain(factuals, options, {}, limits);
    for (std::size_t i = 0; i < answers.size(); ++i)
      for (const FeatureChange& change : answers[i].changes) {
        ++changed;
        for (const FeatureLimit& limit : limits[i].features) {
          if (limit.feature != change.feature) continue;
          EXPECT_FALSE(limit.fixed);
          EXPECT_GE(change.to, *limit.min - 1e-12);
          EXPECT_LE(change.to, *limit.max + 1e-12);
        }
      }
    EXPECT_THROW((void)explainer.explain(factuals, options, {}, std::span(limits).first(3)), Error);
  }
  EXPECT_GT(changed, 20);
}

// If the floor is the log-density of a stricter question's answer, the new answer is not farther away. Rows
// without their own floor keep that of the question, whatever the other rows ask.
TEST(RowLimits, AFloorOfItsOwnHoldsRowByRow) {
  const auto model = random_network(5, 1, 3);
  const Training training = labelled_by(*model, 200, 4);
  const Matrix factuals = first_rows(training.rows, 40);
  for (const Solver solver : {Solver::search, Solver::apg}) {
    Options options;
    options.solver = solver;
    const Explainer explainer(model, training, options);
    const auto plain = explainer.explain(factuals, options);
    Options typical = options;
    typical.plausible = 0.5;
    const auto strict = explainer.explain(factuals, typical);
    std::vector<RowLimits> limits(factuals.rows);
    for (std::size_t i = 0; i < limits.size(); i += 2) limits[i].log_density = strict[i].log_density - 1e-5;
    const auto answers = explainer.explain(factuals, options, {}, limits);
    int nearer = 0, found = 0;
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (!limits[i].log_density) {
        EXPECT_EQ(answers[i].counterfactual, plain[i].counterfactual) << name_of(solver) << " row " << i;
        continue;
      }
      if (answers[i].status != Status::valid) continue;
      ++found;
      EXPECT_GE(answers[i].log_density, *limits[i].log_density - 1e-6);
      nearer += answers[i].changes.size() < strict[i].changes.size() ||
                answers[i].l2 <= strict[i].l2 * 1.001 + 1e-6;
    }
    EXPECT_GE(found, 18) << name_of(solver);
    EXPECT_GE(nearer, 0.9 * found) << name_of(solver);
  }
  Options none;
  none.density = DensityKind::none;
  std::vector<RowLimits> limits(factuals.rows);
  limits[0].log_density = 0;
  EXPECT_THROW((void)Explainer(model, training, none).explain(factuals, none, {}, limits), Error);
}

}  // namespace
}  // namespace scfe::test
