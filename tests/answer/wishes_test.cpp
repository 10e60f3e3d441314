// Several answers, the path over m, any other class, a range to reach: on German Credit and on random
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "actionability/features.h"
#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"

namespace scfe {
namespace {

using test::Credit;
using test::first_rows;
using test::labelled_by;
using test::random_network;

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
    // The first is the one that a single answer would be; the others come closest first.
    if (k > 1 && list[k].status == list[k - 1].status) EXPECT_GE(list[k].l2, list[k - 1].l2);
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

// Solves each support alone, with all other features frozen, and keeps those whose answer needs every change.
std::map<std::set<std::size_t>, double> supports_alone(const Explainer& explainer, const Matrix& row,
                                                       const Options& options) {
  const std::size_t d = explainer.features().size();
  std::map<std::set<std::size_t>, double> known;
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = a; b < d; ++b) {
      std::vector<Feature> features = explainer.features();
      for (std::size_t f = 0; f < d; ++f) features[f].immutable = f != a && f != b;
      Options one = options;
      one.answers = 1;
      one.fewest_first = false;
      one.max_changes = a == b ? 1 : 2;
      const Explanation e = explainer.with_features(features).explain(row, one)[0];
      if (e.status == Status::valid && changed(e) == std::set<std::size_t>{a, b}) known[changed(e)] = e.l2;
    }
  return known;
}

// The search over numbers finds as many answers as there are, the closest first.
TEST(Answers, of_numbers_are_those_of_the_closest_supports) {
  const auto model = random_network(7, 1, 5, "tanh");
  const Training training = labelled_by(*model, 150, 6);
  Options options;
  options.answers = 3;
  options.hints = false;
  options.fewest_first = false;
  options.max_changes = 2;
  std::size_t rows = 0, full = 0, close = 0, answers = 0;
  for (const double plausible : {0.0, 0.1}) {
    options.plausible = plausible;
    const Explainer explainer(model, training, options);
    for (std::size_t i = 0; i < 12; ++i) {
      const Matrix row = test::one_row(training.rows[i]);
      const std::vector<Explanation> list = explainer.explain_all(row, options)[0];
      std::vector<double> best;
      for (const auto& [support, l2] : supports_alone(explainer, row, options)) best.push_back(l2);
      std::ranges::sort(best);
      std::vector<double> given;
      for (const Explanation& e : list)
        if (e.status == Status::valid) given.push_back(e.l2);
      ++rows;
      full += given.size() >= std::min<std::size_t>(3, best.size());
      for (std::size_t k = 0; k < std::min(given.size(), best.size()); ++k) {
        ++answers;
        close += given[k] <= 1.01 * best[k];
      }
    }
  }
  EXPECT_GE(rows, 20U);
  EXPECT_EQ(full, rows);
  EXPECT_GE(20 * close, 19 * answers) << close << " of " << answers;
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

// With diverse = values several answers may change the same features, with different values.
TEST(Answers, may_share_features_by_choice) {
  const Credit credit(12);
  Options options = credit.explainer.options();
  options.answers = 4;
  options.diverse = Diverse::values;
  options.hints = false;
  std::size_t shared = 0, pairs = 0;
  for (const auto& list : credit.explainer.explain_all(credit.factuals, options)) {
    for (std::size_t a = 0; a < list.size(); ++a) {
      if (!list[a].found() || list[a].changes.empty()) continue;
      EXPECT_GT(list[a].probability, 0.5);
      if (a > 1 && list[a].status == list[a - 1].status) EXPECT_GE(list[a].l2, list[a - 1].l2);
      for (std::size_t b = a + 1; b < list.size(); ++b) {
        const Matrix rows =
            Diagnostics(credit.explainer)
                .to_work_space(test::two_rows(list[a].counterfactual, list[b].counterfactual));
        double farthest = 0;
        for (std::size_t j = 0; j < rows.cols; ++j)
          farthest = std::max(farthest, std::abs(rows[0][j] - rows[1][j]));
        EXPECT_GE(farthest, 0.1 - 1e-9);
        shared += changed(list[a]) == changed(list[b]);
        ++pairs;
      }
    }
  }
  EXPECT_GT(pairs, 50U);
  EXPECT_GT(shared, 5U);
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
  options.target = Target::any();
  const std::vector<Explanation> any = explainer.explain(factuals, options);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < any.size(); ++i) {
    EXPECT_NE(any[i].target, any[i].predicted);
    for (int target = 0; target < 3; ++target) {
      if (target == any[i].predicted) continue;
      Matrix one(1, factuals.cols);
      std::copy(factuals[i].begin(), factuals[i].end(), one[0].begin());
      options.target = target;
      const Explanation e = explainer.explain(one, options)[0];
      if (e.status == Status::valid) {
        ++compared;
        EXPECT_EQ(any[i].status, Status::valid);
        EXPECT_LE(any[i].l2, e.l2 + 1e-12);
      }
    }
  }
  EXPECT_GE(compared, 25U);
}

// Of several classes only the one that is answered gets hints, and these are the hints of asking for it
// alone.
TEST(Targets, any_other_class_is_answered_as_if_it_had_been_asked_for) {
  const auto model = random_network(5, 6, 11);
  const Training training = labelled_by(*model, 300, 12);
  Options options;
  options.max_changes = 1;
  options.plausible = 0.6;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 20);
  options.target = Target::any();
  const std::vector<Explanation> any = explainer.explain(factuals, options);
  std::size_t hints = 0;
  for (std::size_t i = 0; i < any.size(); ++i) {
    options.target = any[i].target;
    const Explanation alone = explainer.explain_one(factuals[i], options);
    EXPECT_EQ(any[i].status, alone.status);
    EXPECT_EQ(any[i].counterfactual, alone.counterfactual);
    EXPECT_EQ(any[i].reason(), alone.reason());
    ASSERT_EQ(any[i].hints.size(), alone.hints.size());
    for (std::size_t k = 0; k < alone.hints.size(); ++k, ++hints)
      EXPECT_EQ(any[i].hints[k].text, alone.hints[k].text);
  }
  EXPECT_GT(hints, 5U);
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
  }
}

// The range is in units of the model's output, not of its logits.
TEST(Reach, of_a_sigmoid_is_a_share) {
  const Layer hidden{test::matrix(3, 2, {1, -2, 0.5, 1, -1, 0.7}), {0.1, 0, -0.2}, "tanh"};
  const Layer last{test::matrix(1, 3, {2, 1, -1}), {0.1}, "sigmoid"};
  const auto model = dense_network({hidden, last});
  Training training = labelled_by(*model, 200, 5);
  training.labels.clear();
  const auto share = [&](const Explanation& e) {
    double z = last.bias[0];
    for (std::size_t h = 0; h < 3; ++h)
      z += last.weight[0][h] * std::tanh(hidden.bias[h] + hidden.weight[h][0] * e.counterfactual[0] +
                                         hidden.weight[h][1] * e.counterfactual[1]);
    return 1 / (1 + std::exp(-z));
  };
  std::size_t moved = 0;
  for (const auto& [text, lo, hi] :
       {std::tuple("0.7:", 0.7, 1.0), {":0.3", 0.0, 0.3}, {"0.4:0.45", 0.4, 0.45}}) {
    Options options;
    options.reach = text;
    options.density = DensityKind::none;
    const Explainer explainer(model, training, options);
    for (const Explanation& e : explainer.explain(first_rows(training.rows, 40), options)) {
      if (!e.found()) continue;
      EXPECT_NEAR(e.output, share(e), 1e-5);
      EXPECT_TRUE(e.output >= lo - 1e-6 && e.output <= hi + 1e-6) << text << ": " << e.output;
      moved += !e.changes.empty();
    }
  }
  EXPECT_GT(moved, 30U);
  for (const char* text : {"1.5:", ":0", "0:1", "-1:"}) {
    Options options;
    options.reach = text;
    EXPECT_THROW(Explainer(model, training, options), Error) << text;
  }
}

// A model that declares itself a regression model is not used as a classifier.
TEST(Reach, is_asked_for_where_the_model_is_a_regression) {
  const auto model =
      open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_regression.ubj"));
  Training training{Matrix(4, model->features()), {0, 1, 0, 1}, {}};
  for (std::size_t i = 0; i < training.rows.values.size(); ++i)
    training.rows.values[i] = static_cast<double>(i % 7);
  try {
    const Explainer explainer(model, training);
    FAIL() << "no Error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("regression"), std::string::npos) << error.what();
  }
  Options options;
  options.reach = "0:";
  options.density = DensityKind::none;
  EXPECT_NO_THROW(Explainer(model, training, options));
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

}  // namespace
}  // namespace scfe
