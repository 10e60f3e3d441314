// An answer does not depend on the rows beside it: every solver, on batches in which some rows are special.
#include <gtest/gtest.h>

#include "scfe/bundle.h"
#include "tests/explainer/batches.h"

namespace scfe {
namespace {

using test::Batch;
using test::expect_same_bits;
using test::make_batch;
using test::Tally;
namespace place = test::place;

TEST(MixedBatch, every_solver_gives_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const std::pair<const char*, std::shared_ptr<const Model>> models[] = {
      {"linear", linear}, {"network", test::random_network(5, 1, 7)}, {"trees", trees}};
  Tally tally;
  for (const auto& [name, model] : models) {
    const Training training = test::labelled_by(*model, 80, 5);
    for (const Solver solver : {Solver::automatic, Solver::search, Solver::apg, Solver::exact})
      for (const double plausible : {0.0, 0.2}) {
        const bool proves = model != models[1].second && (model == trees || plausible == 0);
        if (solver == Solver::exact && !proves) continue;
        Options options;
        options.solver = solver;
        options.plausible = plausible;
        options.max_changes = 2;
        options.iterations = 40;
        const std::string what =
            std::string(name) + ", " + std::string(name_of(solver)) + ", floor " + std::to_string(plausible);
        const Batch batch = make_batch(Explainer(model, training, options), *model, training);
        const auto alone = expect_same_bits(batch, options, what, tally);
        EXPECT_EQ(batch.has_broken_row, model != trees) << what;
        if (batch.has_broken_row) EXPECT_EQ(alone[place::broken][0].status, Status::not_finite) << what;
        if (plausible == 0) EXPECT_EQ(alone[place::already][0].status, Status::already) << what;
      }
  }
  EXPECT_GE(tally.rows, 1500);
  EXPECT_GE(tally.answers, 500);
  EXPECT_GE(tally.proofs, 100);
  EXPECT_GE(tally.not_finite, 100);
}

TEST(MixedBatch, spaces_and_wishes_give_the_same_bits) {
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const Training training = test::labelled_by(*linear, 80, 6);
  Tally tally;
  for (const SpaceKind space : {SpaceKind::minmax, SpaceKind::zscore, SpaceKind::none})
    for (const auto& [name, value] : {std::pair("answers", "3"),
                                      {"path", "true"},
                                      {"robust", "0.01"},
                                      {"probability", "0.8"},
                                      {"certify", "true"},
                                      {"fewest-first", "false"}}) {
      Options options;
      options.space = space;
      options.plausible = 0;
      set_option(options, name, value);
      expect_same_bits(make_batch(Explainer(linear, training, options), *linear, training), options,
                       std::string(name_of(space)) + ", " + name, tally);
    }
  EXPECT_GE(tally.rows, 1000);
  EXPECT_GE(tally.stable, 100);
}

// Few changes, a high floor, a high probability and limits on features: most rows get hints.
TEST(MixedBatch, hints_have_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const std::pair<const char*, std::shared_ptr<const Model>> models[] = {
      {"linear", test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2)},
      {"network", test::random_network(5, 1, 7)},
      {"trees", trees}};
  Tally tally;
  for (const auto& [name, model] : models) {
    const Training training = test::labelled_by(*model, 80, 5);
    for (const Solver solver : {Solver::automatic, Solver::apg})
      for (const auto& [plausible, probability, robust] :
           {std::tuple(0.0, 0.0, 0.0), {0.5, 0.0, 0.0}, {0.0, 0.9, 0.0}, {0.2, 0.0, 0.02}}) {
        Options options;
        options.solver = solver;
        options.plausible = plausible;
        options.probability = probability;
        options.robust = robust;
        options.max_changes = 1;
        options.iterations = 30;
        options.sections = 4;
        const Explainer fitted(model, training, options);
        std::vector<Feature> features = fitted.features();
        features[0].immutable = true;
        features[2].direction = Direction::up;
        features[3].max = 0.5;
        features[4].min = -0.5;
        Batch batch = make_batch(fitted.with_features(features), *model, training);
        for (std::size_t i = 0; i < batch.limits.size(); i += 3)
          batch.limits[i].features.push_back({.feature = 3, .min = {}, .max = 0.2, .fixed = i % 2 == 0});
        expect_same_bits(batch, options,
                         std::string(name) + ", " + std::string(name_of(solver)) + ", floor " +
                             std::to_string(plausible) + ", probability " + std::to_string(probability),
                         tally);
      }
  }
  EXPECT_GE(tally.rows, 2000);
  EXPECT_GE(tally.hints, 1000);
  EXPECT_GE(tally.kinds.size(), 6U);
}

// The linear score is solved in closed form for every row that it can be, whatever the others ask.
TEST(MixedBatch, a_special_row_costs_its_neighbours_no_proof) {
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const Training training = test::labelled_by(*linear, 80, 7);
  for (const SpaceKind space : {SpaceKind::minmax, SpaceKind::none})
    for (const Solver solver : {Solver::automatic, Solver::exact}) {
      Options options;
      options.space = space;
      options.plausible = 0;
      options.solver = solver;
      const Batch batch = make_batch(Explainer(linear, training, options), *linear, training);
      const auto found = ask(batch, options, test::orders_of(batch.rows.rows, 1)[0]);
      for (std::size_t i = 0; i < place::ordinary; ++i)
        EXPECT_TRUE(found[i][0].proven()) << i << ", " << name_of(space) << ", " << found[i][0].reason();
      const Explanation& floored = found[place::own_floor][0];
      EXPECT_FALSE(floored.status == Status::valid && floored.proven()) << "a floor has no proof here";
      EXPECT_TRUE(found[place::own_limit][0].proven()) << found[place::own_limit][0].reason();
      EXPECT_EQ(found[place::already][0].status, Status::already);
      EXPECT_EQ(found[place::broken][0].status, Status::not_finite);
    }
}

}  // namespace
}  // namespace scfe
