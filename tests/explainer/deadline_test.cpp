// The steps after a search keep its deadline as well, and give the same bits for any number of threads.
#include <gtest/gtest.h>

#include "model/trees/ensemble.h"
#include "plausibility/none.h"
#include "solver/written/redundant.h"
#include "stability/robustness.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/parts.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

const Deadline past(Deadline::Clock::time_point::min());

// The class depends on x0 > 0.5 only; x1 does not matter.
struct Redundant {
  std::shared_ptr<const Model> model = test::linear_model({1, 0}, -0.5);
  Space space{no_scaling(2)};
  Validity validity{1, {.target = 1, .margin = 1e-4, .probability = {}}};
  NoDensity density{2};
  test::Parts parts{*model, space, validity, density, 3};
  std::vector<Row> asked_rows;
  std::vector<Found> found;

  Redundant() {
    for (std::size_t i = 0; i < 100; ++i) {
      Row asked;
      asked.required = 1e-4;
      asked.values = asked.factual = {0, 0};
      asked.anchor = {0, 0};
      asked_rows.push_back(asked);
      Found one;
      one.status = Status::valid;
      one.values = {1, 0.01 * static_cast<double>(i % 3)};
      one.support = i % 3 == 0 ? std::vector<int>{0} : std::vector<int>{0, 1};
      found.push_back(one);
    }
  }
};

TEST(Deadline, redundant_changes_stay_where_time_is_up) {
  Redundant on_time, late;
  drop_redundant(on_time.parts.query, on_time.asked_rows, on_time.found);
  late.parts.query.deadline = past;
  drop_redundant(late.parts.query, late.asked_rows, late.found);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(on_time.found[i].values[1], 0);
    EXPECT_EQ(on_time.found[i].support.size(), 1U);
    EXPECT_FALSE(on_time.found[i].timed_out);
    EXPECT_EQ(late.found[i].support.size(), i % 3 == 0 ? 1U : 2U);
    EXPECT_EQ(late.found[i].timed_out, i % 3 != 0) << "one change is never redundant";
  }
}

// A tree ensemble, and what a query of its stability needs.
struct Trees {
  std::shared_ptr<const Model> model;
  Training training;
  Options options;
  Explainer explainer;
  Space space;
  Writing writing;
  Rules rules;
  FittedDensity density;
  Fitted fitted;

  static Options plain() {
    Options options;
    options.density = DensityKind::none;
    return options;
  }
  explicit Trees(const std::string& file)
      : model(open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/" + file))),
        training(test::labelled_by(*model, 200, 3)),
        options(plain()),
        explainer(model, training, options),
        space(explainer.features(), min_max_scaling(training.rows),
              std::vector<double>(training.rows.cols, 1.0)),
        fitted{*model, space, writing, rules, explainer.features(), density, {}, {}, {}, {}} {
    for (const Feature& feature : explainer.features()) writing.step.push_back(*feature.step);
  }
};

// holds() agrees with the margin, and a margin that the deadline cut short is still a lower bound.
TEST(Deadline, stability_of_trees_is_sound_whenever_it_is_cut_short) {
  for (const char* file : {"xgboost_binary.json", "xgboost_classes.ubj"}) {
    const Trees trees(file);
    std::size_t held = 0, fell = 0, coarser = 0;
    for (int target = 0; target < static_cast<int>(trees.model->classes()); ++target) {
      const Validity validity(trees.model->scores(), {.target = target, .margin = 1e-4, .probability = {}});
      for (const double eps : {0.002, 0.02, 0.1}) {
        Options options;
        options.density = DensityKind::none;
        options.robust = eps;
        Pool pool(1);
        const Query query(trees.fitted, options, target, {}, pool),
            cut_short(trees.fitted, options, target, past, pool);
        const Robustness least(query), late(cut_short);
        for (std::size_t i = 0; i < 40; ++i) {
          const std::vector<double> values = trees.space.to_values(trees.training.rows[i]);
          const double margin = least(values), bound = late(values);
          EXPECT_EQ(least.holds(values), margin >= validity.required()) << file << ", row " << i;
          EXPECT_LE(bound, margin);
          if (late.holds(values)) EXPECT_GE(margin, validity.required());
          (margin >= validity.required() ? held : fell) += 1;
          coarser += bound < margin;
        }
      }
    }
    EXPECT_GT(held, 5U) << file;
    EXPECT_GT(fell, 5U) << file;
    EXPECT_GT(coarser, 5U) << file;
  }
}

bool same_with_hints(const Explanation& a, const Explanation& b) {
  bool rooms = a.changes.size() == b.changes.size();
  for (std::size_t i = 0; rooms && i < a.changes.size(); ++i) rooms = a.changes[i].room == b.changes[i].room;
  return rooms && a.status == b.status && a.reason() == b.reason() && a.counterfactual == b.counterfactual &&
         a.stable_margin == b.stable_margin && a.hints.size() == b.hints.size();
}

TEST(Deadline, threads_change_no_bit_of_what_follows_a_search) {
  const test::Credit credit(30);
  Options robust = credit.explainer.options();
  robust.robust = 0.03;
  robust.max_changes = 2;
  Options several = credit.explainer.options();
  several.answers = 3;
  Options strict = credit.explainer.options();
  strict.plausible = 0.5;
  strict.max_changes = 1;
  for (Options options : {robust, several, strict}) {
    options.threads = 1;
    const auto alone = credit.explainer.explain_all(credit.factuals, options);
    options.threads = 3;
    const auto together = credit.explainer.explain_all(credit.factuals, options);
    for (std::size_t i = 0; i < alone.size(); ++i) {
      ASSERT_EQ(alone[i].size(), together[i].size());
      for (std::size_t k = 0; k < alone[i].size(); ++k)
        EXPECT_TRUE(same_with_hints(alone[i][k], together[i][k])) << i;
    }
  }
}

// With no time at all, no unchecked answer is given.
TEST(Deadline, robust_answers_are_shown_or_not_given) {
  const test::Credit credit(20);
  Options options = credit.explainer.options();
  options.robust = 0.03;
  options.time_limit = 1e-9;
  for (const Explanation& e : credit.explainer.explain(credit.factuals, options)) {
    EXPECT_EQ(e.status, Status::time_limit) << e.reason();
    EXPECT_TRUE(e.changes.empty());
  }
}

}  // namespace
}  // namespace scfe
