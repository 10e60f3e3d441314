// Several answers, the path over m, any other class, and hints: on German Credit and on clouds of numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "scfe/bundle.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::random_network;

struct Credit {
  Encoder encoder;
  Encoded rows;
  Explainer explainer;
  Matrix factuals;

  static Explainer fit(const Encoder& encoder, const Encoded& rows) {
    const auto model = open_model(read_model_file(SCFE_SOURCE_DIR "/data/models/german_credit.onnx"));
    return Explainer(model, {rows.inputs, rows.labels, encoder.features()});
  }
  explicit Credit(std::size_t count)
      : encoder(read_schema(SCFE_SOURCE_DIR "/data/german_credit.schema.json")),
        rows(encoder.encode_labelled(read_csv(SCFE_SOURCE_DIR "/data/german_credit.csv"))),
        explainer(fit(encoder, rows)),
        factuals(0, rows.inputs.cols) {
    const std::vector<int> predicted = explainer.predict(rows.inputs);
    for (std::size_t i = 0; i < predicted.size() && factuals.rows < count; ++i) {
      if (predicted[i] == 1) continue;
      factuals.values.insert(factuals.values.end(), rows.inputs[i].begin(), rows.inputs[i].end());
      ++factuals.rows;
    }
  }
};

std::set<std::size_t> changed(const Explanation& e) {
  std::set<std::size_t> features;
  for (const FeatureChange& change : e.changes) features.insert(change.feature);
  return features;
}

void expect_answers_of_their_own(const std::vector<Explanation>& list, std::size_t most) {
  std::set<std::set<std::size_t>> supports;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (!list[k].found() || list[k].status == Status::already) continue;
    EXPECT_TRUE(supports.insert(changed(list[k])).second) << "the same features twice";
    EXPECT_LE(list[k].changes.size(), most);
    EXPECT_GT(list[k].probability, 0.5);
    if (k > 0 && list[k].status == list[k - 1].status) EXPECT_GE(list[k].l2, list[k - 1].l2);
  }
}

TEST(Answers, differ_in_their_features_and_come_closest_first) {
  const Credit credit(15);
  Options options = credit.explainer.options();
  options.answers = 4;
  options.hints = false;
  std::size_t full = 0;
  for (const auto& list : credit.explainer.explain_all(credit.factuals, options)) {
    expect_answers_of_their_own(list, 3);
    full += list.size() == 4;
  }
  EXPECT_GE(full, 12U);
}

TEST(Answers, are_there_for_numbers_alone) {
  const auto model = random_network(6, 1, 3);
  const Training training = labelled_by(*model, 150, 4);
  Options options;
  options.answers = 3;
  const Explainer explainer(model, training, options);
  std::size_t several = 0;
  for (const auto& list : explainer.explain_all(first_rows(training.rows, 20), options)) {
    expect_answers_of_their_own(list, 3);
    several += list.size() == 3;
  }
  EXPECT_GE(several, 10U);
}

TEST(Answers, the_first_of_one_is_the_answer_itself) {
  const Credit credit(8);
  Options options = credit.explainer.options();
  const std::vector<Explanation> plain = credit.explainer.explain(credit.factuals, options);
  const auto lists = credit.explainer.explain_all(credit.factuals, options);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    ASSERT_EQ(lists[i].size(), 1U);
    EXPECT_EQ(lists[i][0].counterfactual, plain[i].counterfactual);
  }
}

TEST(Path, gets_closer_with_every_change_it_names) {
  const Credit credit(12);
  Options options = credit.explainer.options();
  options.path = true;
  options.max_changes = 4;
  std::size_t knees = 0;
  for (const auto& path : credit.explainer.explain_all(credit.factuals, options)) {
    for (std::size_t k = 0; k < path.size(); ++k) {
      EXPECT_LE(path[k].changes.size(), static_cast<std::size_t>(path[k].allowed_changes));
      knees += path[k].knee;
      if (k == 0 || !path[k].found() || path[k].status != path[k - 1].status) continue;
      EXPECT_GT(path[k].allowed_changes, path[k - 1].allowed_changes);
      if (path[k].status == Status::valid) EXPECT_LT(path[k].l2, path[k - 1].l2);
    }
  }
  EXPECT_GT(knees, 0U);
}

TEST(Targets, any_other_class_is_the_closest_of_all) {
  const auto model = random_network(5, 3, 11);
  const Training training = labelled_by(*model, 200, 12);
  Options options;
  options.fewest_first = false;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 25);
  options.target = -2;
  const std::vector<Explanation> any = explainer.explain(factuals, options);
  for (std::size_t i = 0; i < any.size(); ++i) {
    EXPECT_NE(any[i].target, any[i].predicted);
    for (int target = 0; target < 3; ++target) {
      if (target == any[i].predicted) continue;
      Matrix one(1, factuals.cols);
      std::copy(factuals[i].begin(), factuals[i].end(), one[0].begin());
      options.target = target;
      const Explanation e = explainer.explain(one, options)[0];
      if (e.status == Status::valid) {
        EXPECT_EQ(any[i].status, Status::valid);
        EXPECT_LE(any[i].l2, e.l2 + 1e-12);
      }
    }
  }
}

// Each hint is followed to the letter, and has to lead to an answer.
TEST(Hints, are_true) {
  const Credit credit(60);
  std::vector<Feature> features = credit.explainer.features();
  for (Feature& f : features)
    if (f.name == "checking_account" || f.name == "duration_months" || f.name == "credit_history" ||
        f.name == "savings" || f.name == "other_debtors")
      f.immutable = true;
  const Explainer strict = credit.explainer.with_features(features);
  Options options = strict.options();
  options.max_changes = 1;
  options.plausible = 0.25;
  std::size_t tried = 0, kinds[3] = {};
  const std::vector<Explanation> answers = strict.explain(credit.factuals, options);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].status == Status::valid || answers[i].status == Status::already) {
      EXPECT_TRUE(answers[i].hints.empty());
      continue;
    }
    Matrix one(1, credit.factuals.cols);
    std::copy(credit.factuals[i].begin(), credit.factuals[i].end(), one[0].begin());
    for (const Hint& hint : answers[i].hints) {
      Options relaxed = options;
      std::vector<Feature> freed = features;
      if (hint.kind == Hint::Kind::changes) relaxed.max_changes = static_cast<int>(hint.value);
      if (hint.kind == Hint::Kind::plausible) relaxed.plausible = hint.value;
      if (hint.kind == Hint::Kind::feature) {
        freed[static_cast<std::size_t>(hint.value)].immutable = false;
        freed[static_cast<std::size_t>(hint.value)].direction = Direction::any;
      }
      EXPECT_EQ(strict.with_features(freed).explain(one, relaxed)[0].status, Status::valid) << hint.text;
      ++tried;
      ++kinds[static_cast<std::size_t>(hint.kind)];
    }
  }
  EXPECT_GE(tried, 30U);
  for (const std::size_t count : kinds) EXPECT_GT(count, 0U);
}

TEST(Reach, a_regression_model_goes_where_it_is_asked_to) {
  const auto model = random_network(5, 1, 21);
  Training training = labelled_by(*model, 200, 22);
  training.labels.clear();
  for (const char* text : {"1:", ":-1", "0.5:0.7"}) {
    Options options;
    options.reach = text;
    const Explainer explainer(model, training, options);
    std::size_t valid = 0;
    const Matrix factuals = first_rows(training.rows, 30);
    for (const Explanation& e : explainer.explain(factuals, options)) {
      if (!e.found()) continue;
      valid += e.status == Status::valid;
      if (text[0] == '1') EXPECT_GE(e.output, 1);
      if (text[0] == ':') EXPECT_LE(e.output, -1);
      if (text[0] == '0') EXPECT_TRUE(e.output >= 0.5 && e.output <= 0.7) << e.output;
    }
    EXPECT_GE(valid, 10U) << text;
    EXPECT_EQ(explainer.with_reach("0:").options().reach, "0:");
  }
}

TEST(Reach, nonsense_is_refused) {
  const auto model = random_network(3, 1, 5);
  const Training training = labelled_by(*model, 50, 6);
  for (const char* text : {"5", ":", "a:", "3:2", "1:2:3"}) {
    Options options;
    options.reach = text;
    EXPECT_THROW(Explainer(model, training, options), Error) << text;
  }
}

// Answers asked to be robust keep the decision wherever their box is sampled.
TEST(Robust, answers_hold_all_around) {
  std::vector<std::shared_ptr<const Model>> models = {
      dense_network({{test::matrix(1, 4, {1, -2, 0.5, 1.5}), {-0.3}, "none"}}),
      random_network(4, 1, 31, "relu"), random_network(4, 3, 33, "tanh")};
  for (const auto& model : models) {
    const Training training = labelled_by(*model, 200, 32);
    Options options;
    options.density = "none";
    options.robust = 0.03;
    options.target = model->classes() == 2 ? -1 : 1;
    const Explainer explainer(model, training, options);
    const Matrix factuals = first_rows(training.rows, 20);
    const std::vector<Explanation> answers = explainer.explain(factuals, options);
    Matrix ranges(2, 4);
    for (std::size_t j = 0; j < 4; ++j) {
      ranges[0][j] = *explainer.features()[j].min;
      ranges[1][j] = *explainer.features()[j].max;
    }
    test::Uniform uniform(9);
    std::size_t found = 0;
    for (const Explanation& e : answers) {
      EXPECT_NE(e.stability == "sampled", model->layers().size() >= 1);
      if (!e.found()) continue;
      ++found;
      Matrix around(100, 4);
      for (std::size_t i = 0; i < 100; ++i)
        for (std::size_t j = 0; j < 4; ++j)
          around[i][j] = e.counterfactual[j] + uniform(-0.03, 0.03) * (ranges[1][j] - ranges[0][j]);
      for (const int winner : explainer.predict(around)) EXPECT_EQ(winner, e.target);
    }
    EXPECT_GE(found, 10U);
  }
}

TEST(Pertinent, the_features_that_stay_keep_the_decision) {
  const Credit credit(6);
  const std::vector<Pertinent> all = credit.explainer.pertinent(credit.factuals, 0.9);
  for (const Pertinent& p : all) {
    EXPECT_EQ(p.predicted, 0);
    EXPECT_GE(p.share, 0.9);
    EXPECT_FALSE(p.features.empty());
    EXPECT_LT(p.features.size(), 20U);
  }
  EXPECT_THROW(credit.explainer.pertinent(credit.factuals, 0), Error);
}

}  // namespace
}  // namespace scfe
