// An answer does not depend on the rows beside it: every solver, on batches in which some rows are special.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"

namespace scfe {
namespace {

struct Batch {
  Explainer explainer;
  Matrix rows;
  std::vector<int> targets;
  std::vector<RowLimits> limits;
};

// Ordinary rows; then one far outside of the training range, one with a floor of its own, one with limits of
// its own, one that has the target class, and one at which the model is not finite.
Batch make_batch(const std::shared_ptr<const Model>& model, const Training& training,
                 const Options& options) {
  constexpr std::size_t ordinary = 8, special = 5;
  Batch batch{
      Explainer(model, training, options), test::first_rows(training.rows, ordinary + special), {}, {}};
  for (const int predicted : batch.explainer.predict(batch.rows)) batch.targets.push_back(1 - predicted);
  batch.limits.resize(batch.rows.rows);
  batch.rows[ordinary][0] = 1e4;
  if (options.density != DensityKind::none)
    batch.limits[ordinary + 1].log_density =
        Diagnostics(batch.explainer).floor(batch.targets[ordinary + 1], 0.3);
  batch.limits[ordinary + 2].features.push_back({.feature = 1, .min = {}, .max = {}, .fixed = true});
  batch.targets[ordinary + 3] = 1 - batch.targets[ordinary + 3];
  batch.rows[ordinary + 4][1] = 3e38;
  return batch;
}

std::vector<Explanation> ask(const Batch& batch, const Options& options,
                             const std::vector<std::size_t>& order) {
  Matrix rows(order.size(), batch.rows.cols);
  std::vector<int> targets;
  std::vector<RowLimits> limits;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ranges::copy(batch.rows[order[i]], rows[i].begin());
    targets.push_back(batch.targets[order[i]]);
    limits.push_back(batch.limits[order[i]]);
  }
  return batch.explainer.explain(rows, options, targets, limits);
}

void expect_same(const Explanation& a, const Explanation& b, const std::string& what) {
  EXPECT_EQ(a.status, b.status) << what << ": " << a.reason << " / " << b.reason;
  EXPECT_EQ(a.counterfactual, b.counterfactual) << what;
  EXPECT_EQ(a.proof, b.proof) << what;
  EXPECT_EQ(a.reason, b.reason) << what;
  EXPECT_EQ(a.gradients, b.gradients) << what;
}

// Alone, together, backwards, in two parts and on three threads.
void expect_same_bits(const Batch& batch, Options options, const std::string& what, int& compared) {
  std::vector<std::size_t> all(batch.rows.rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  options.threads = 1;
  std::vector<Explanation> alone;
  for (const std::size_t i : all) alone.push_back(ask(batch, options, {i})[0]);
  std::vector<std::size_t> backwards(all.rbegin(), all.rend()), half(all.begin() + 3, all.end());
  for (const int threads : {1, 3})
    for (const auto& order : {all, backwards, half}) {
      options.threads = threads;
      const std::vector<Explanation> together = ask(batch, options, order);
      for (std::size_t i = 0; i < order.size(); ++i, ++compared)
        expect_same(alone[order[i]], together[i], what + ", row " + std::to_string(order[i]));
    }
}

TEST(MixedBatch, every_solver_gives_the_same_bits) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const std::pair<const char*, std::shared_ptr<const Model>> models[] = {
      {"linear", linear}, {"network", test::random_network(5, 1, 7)}, {"trees", trees}};
  int compared = 0;
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
        const Batch batch = make_batch(model, training, options);
        expect_same_bits(
            batch, options,
            std::string(name) + ", " + std::string(name_of(solver)) + ", floor " + std::to_string(plausible),
            compared);
      }
  }
  EXPECT_GE(compared, 1000);
}

TEST(MixedBatch, spaces_and_wishes_give_the_same_bits) {
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const Training training = test::labelled_by(*linear, 80, 6);
  int compared = 0;
  for (const SpaceKind space : {SpaceKind::minmax, SpaceKind::zscore, SpaceKind::none})
    for (const auto& [name, value] :
         {std::pair("answers", "2"), {"path", "true"}, {"robust", "0.01"}, {"fewest-first", "false"}}) {
      Options options;
      options.space = space;
      options.plausible = 0;
      set_option(options, name, value);
      expect_same_bits(make_batch(linear, training, options), options,
                       std::string(name_of(space)) + ", " + name, compared);
    }
  EXPECT_GE(compared, 500);
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
      const Batch batch = make_batch(linear, training, options);
      std::vector<std::size_t> all(batch.rows.rows);
      std::iota(all.begin(), all.end(), std::size_t{0});
      const std::vector<Explanation> found = ask(batch, options, all);
      for (std::size_t i = 0; i < 8; ++i)
        EXPECT_TRUE(found[i].proven()) << i << ", " << name_of(space) << ", " << found[i].reason;
      EXPECT_EQ(found[9].status == Status::valid && found[9].proven(), false) << "a floor has no proof here";
      EXPECT_TRUE(found[10].proven()) << found[10].reason;
      EXPECT_EQ(found[11].status, Status::already);
    }
}

}  // namespace
}  // namespace scfe
