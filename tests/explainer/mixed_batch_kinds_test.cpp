// An answer does not depend on the rows beside it: many features, categories and rules, several classes,
// tuned runs, several wishes of a network and of trees, and batches that are longer than a block of lanes.
#include <gtest/gtest.h>

#include "scfe/bundle.h"
#include "tests/explainer/batches.h"
#include "tests/plausibility/own_density.h"

namespace scfe {
namespace {

using test::Batch;
using test::expect_same_bits;
using test::make_batch;
using test::Tally;
namespace place = test::place;

Batch batch_of(const std::shared_ptr<const Model>& model, const Training& training, const Options& options) {
  return make_batch(Explainer(model, training, options), *model, training);
}

TEST(MixedBatchKinds, more_than_64_features_give_the_same_bits) {
  constexpr std::size_t features = 70;
  const auto model = test::random_network(features, 1, 11);
  Training training = test::labelled_by(*model, 120, 12);
  Tally tally;
  for (const bool listed : {false, true}) {  // a feature with few values makes the solver list its moves
    training.features.assign(features, {});
    if (listed) {
      training.features[3].kind = Kind::binary;
      for (std::size_t i = 0; i < training.rows.rows; ++i) training.rows[i][3] = training.rows[i][3] > 0;
    }
    for (const double plausible : {0.0, 0.2}) {
      Options options;
      options.plausible = plausible;
      options.max_changes = 2;
      options.sweeps = 1;
      options.hints = plausible > 0 && !listed;
      const std::string what =
          std::string(listed ? "moves" : "climb") + ", floor " + std::to_string(plausible);
      Batch batch = batch_of(model, training, options);
      if (listed) batch.rows[place::broken][3] = 1;  // a level, not a number
      const auto alone = expect_same_bits(batch, options, what, tally);
      EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
    }
  }
  EXPECT_GE(tally.answers, 100);
}

// Three numbers, a category of three levels and a binary feature.
Training mixed_table(const Model& model, std::size_t rows, std::uint64_t seed) {
  Training training = test::labelled_by(model, rows, seed);
  test::Uniform random(seed);
  for (std::size_t i = 0; i < rows; ++i) {
    const int level = random.integer(0, 2);
    for (int l = 0; l < 3; ++l) training.rows[i][static_cast<std::size_t>(3 + l)] = l == level ? 1 : 0;
    training.rows[i][6] = random.chance(0.5) ? 1 : 0;
    training.labels[i] = test::score_of(model, training.rows[i], 0) > 0;
  }
  training.features = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "kind"}, {.name = "yes"}};
  training.features[3].kind = Kind::categorical;
  training.features[3].levels = {"p", "q", "r"};
  training.features[4].kind = Kind::binary;
  return training;
}

TEST(MixedBatchKinds, categories_and_rules_give_the_same_bits) {
  const auto model = test::random_network(7, 1, 13);
  const Training training = mixed_table(*model, 120, 14);
  Tally tally;
  for (const std::vector<std::string>& rules :
       {std::vector<std::string>{}, {"a <= b + 1", "at most 1 of c, kind"}})
    for (const auto& [solver, answers] :
         {std::pair(Solver::automatic, 1), {Solver::apg, 1}, {Solver::apg, 2}, {Solver::search, 2}}) {
      Options options;
      options.solver = solver;
      options.answers = answers;
      options.max_changes = 2;
      options.plausible = 0.2;
      options.iterations = 40;
      options.sections = 4;
      const Explainer explainer = Explainer(model, training, options).with_rules(rules);
      const Batch batch = make_batch(explainer, *model, training, {0, 1, 2});
      const std::string what = std::string(name_of(solver)) + ", " + std::to_string(rules.size()) + " rules";
      const auto alone = expect_same_bits(batch, options, what, tally);
      EXPECT_TRUE(batch.has_broken_row);
      EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
    }
  EXPECT_GE(tally.rows, 500);
  EXPECT_GE(tally.answers, 300);
  EXPECT_GE(tally.hints, 10);
}

TEST(MixedBatchKinds, several_classes_give_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_classes.ubj"));
  Tally tally;
  for (const auto& model : {test::random_network(5, 3, 3), trees}) {
    const Training training = test::labelled_by(*model, 150, 22);
    for (const Solver solver : {Solver::automatic, Solver::apg})
      for (const bool any : {false, true}) {
        Options options;
        options.solver = solver;
        options.max_changes = 2;
        options.iterations = 40;
        options.sections = 4;
        options.answers = any ? 2 : 1;
        if (any) options.target = Target::any();
        Batch batch = batch_of(model, training, options);
        if (any) batch.targets.clear();
        const std::string what = std::string(model == trees ? "trees" : "network") + ", " +
                                 std::string(name_of(solver)) + (any ? ", any class" : ", one class");
        const auto alone = expect_same_bits(batch, options, what, tally);
        EXPECT_EQ(batch.has_broken_row, model != trees) << what;
        if (batch.has_broken_row) EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
      }
  }
  EXPECT_GE(tally.answers, 300);
}

TEST(MixedBatchKinds, penalties_and_tuned_runs_give_the_same_bits) {
  const auto model = test::random_network(5, 1, 31);
  const Training training = test::labelled_by(*model, 80, 32);
  Tally tally;
  for (const auto& [density, tune] :
       {std::pair(DensityKind::knn, true), {DensityKind::kde, true}, {DensityKind::kde, false}})
    for (const SparsityKind sparsity : {SparsityKind::l1, SparsityKind::l_half}) {
      Options options;
      options.density = density;
      options.tune = tune;
      options.sparsity = sparsity;
      options.iterations = 15;
      options.sections = 3;
      const std::string what = std::string(name_of(density)) + ", " + std::string(name_of(sparsity));
      const auto alone = expect_same_bits(batch_of(model, training, options), options, what, tally);
      EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
    }
  EXPECT_GE(tally.answers, 200);
}

TEST(MixedBatchKinds, densities_and_the_papers_settings_give_the_same_bits) {
  const auto model = test::random_network(5, 1, 33);
  Training training = test::labelled_by(*model, 120, 34);
  Tally tally;
  for (const auto& choice : choices_of<DensityKind>)
    for (const Solver solver : {Solver::search, Solver::apg})
      for (const bool paper : {false, true}) {
        if (paper && solver != Solver::apg) continue;
        Options options;
        options.density = choice.value;
        training.densities.clear();
        if (choice.value == DensityKind::own) training.densities = {test::bell_density(training.rows)};
        options.solver = solver;
        options.max_changes = 2;
        options.iterations = 30;
        options.sections = 4;
        if (paper) {
          options.step_rule = StepRule::paper;
          options.loss = LossKind::probability;
          options.keep_best = false;
          options.distance = Distance::mad;
        }
        const std::string what = std::string(choice.name) + ", " + std::string(name_of(solver));
        const auto alone = expect_same_bits(batch_of(model, training, options), options, what, tally);
        EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
      }
  EXPECT_GE(tally.rows, 1500);
  EXPECT_GE(tally.answers, 800);
}

TEST(MixedBatchKinds, every_distance_gives_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  Tally tally;
  for (const auto& model :
       {test::random_network(5, 1, 37), test::linear_model({1, -2, 0.5, 3, -1}, 0.3), trees})
    for (const NamedValue<Distance>& distance : choices_of<Distance>)
      for (const Solver solver : {Solver::automatic, Solver::apg}) {
        if (model == trees && solver == Solver::apg) continue;
        const Training training = test::labelled_by(*model, 120, 38);
        Options options;
        options.distance = distance.value;
        options.solver = solver;
        options.max_changes = 2;
        options.iterations = 30;
        options.sections = 4;
        const std::string what = std::string(distance.name) + ", " + std::string(name_of(solver));
        (void)expect_same_bits(batch_of(model, training, options), options, what, tally);
      }
  EXPECT_GE(tally.rows, 1000);
  EXPECT_GE(tally.answers, 500);
}

// A range of a regression model's output.
TEST(MixedBatchKinds, a_range_to_reach_gives_the_same_bits) {
  const auto trees =
      open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_regression.ubj"));
  Tally tally;
  for (const auto& model : {test::random_network(5, 1, 35), trees})
    for (const Solver solver : {Solver::automatic, Solver::apg}) {
      const Training training = test::labelled_by(*model, 120, 36);
      Options options;
      options.reach = "0.2:1.5";
      options.solver = solver;
      options.max_changes = 2;
      options.iterations = 30;
      options.sections = 4;
      expect_same_bits(batch_of(model, training, options), options,
                       std::string("reach, ") + (model == trees ? "trees" : "network"), tally);
    }
  EXPECT_GE(tally.answers, 100);
}

TEST(MixedBatchKinds, wishes_of_networks_and_trees_give_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  Tally tally;
  for (const auto& model : {test::random_network(5, 1, 41), trees}) {
    const Training training = test::labelled_by(*model, 80, 42);
    for (const auto& [name, value] : {std::pair("answers", "3"),
                                      {"path", "true"},
                                      {"robust", "0.01"},
                                      {"probability", "0.8"},
                                      {"certify", "true"},
                                      {"diverse", "values"}}) {
      Options options;
      options.plausible = 0.1;
      options.max_changes = 2;
      if (std::string(name) == "diverse") options.answers = 2;
      set_option(options, name, value);
      expect_same_bits(batch_of(model, training, options), options,
                       std::string(model == trees ? "trees, " : "network, ") + name, tally);
    }
  }
  EXPECT_GE(tally.rows, 1000);
  EXPECT_GE(tally.stable, 100);
  EXPECT_GE(tally.proofs, 50);
}

// Lanes take a second row, and rows are divided among several blocks.
TEST(MixedBatchKinds, long_batches_give_the_same_bits) {
  const auto model = test::random_network(5, 1, 51);
  const Training training = test::labelled_by(*model, 200, 52);
  Tally tally;
  for (const Solver solver : {Solver::search, Solver::apg}) {
    Options options;
    options.solver = solver;
    options.max_changes = 2;
    options.iterations = 30;
    options.sections = 4;
    Batch batch = batch_of(model, training, options);
    const Matrix special = batch.rows;
    batch.rows = test::first_rows(training.rows, 150);
    std::ranges::copy(special.values, batch.rows.values.begin());
    const std::vector<int> predicted = batch.explainer.predict(batch.rows);
    for (std::size_t i = batch.targets.size(); i < predicted.size(); ++i)
      batch.targets.push_back(1 - predicted[i]);
    batch.limits.resize(batch.rows.rows);
    const auto alone = expect_same_bits(batch, options, std::string(name_of(solver)), tally);
    EXPECT_EQ(alone[place::broken][0].status, Status::not_finite);
  }
  EXPECT_GE(tally.rows, 2000);
  EXPECT_GE(tally.answers, 1000);
}

}  // namespace
}  // namespace scfe
