#include "scfe/explainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "plausibility/catalogue.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"
#include "tests/plausibility/own_density.h"

namespace scfe {
namespace {

using test::bell_density;
using test::first_rows;
using test::labelled_by;
using test::linear_model;
using test::random_network;

Options with(std::initializer_list<std::pair<const char*, const char*>> settings) {
  Options options;
  for (const auto& [name, value] : settings) set_option(options, name, value);
  return options;
}

bool same(const Explanation& a, const Explanation& b) {
  return a.status == b.status && a.counterfactual == b.counterfactual && a.margin == b.margin &&
         a.log_density == b.log_density && a.gradients == b.gradients && a.reason() == b.reason() &&
         a.probability == b.probability;
}

std::ptrdiff_t count_found(const std::vector<Explanation>& answers) {
  return std::ranges::count_if(answers, [](const Explanation& e) { return e.found(); });
}

// Checks everything that must be true of an answer, using only predict().
void expect_true(const Explainer& explainer, const Matrix& factuals, const std::vector<Explanation>& answers,
                 const Options& options) {
  Matrix rows(factuals.rows, factuals.cols);
  for (std::size_t i = 0; i < factuals.rows; ++i)
    std::copy(answers[i].counterfactual.begin(), answers[i].counterfactual.end(), rows[i].begin());
  const std::vector<int> predicted = explainer.predict(rows);
  for (std::size_t i = 0; i < factuals.rows; ++i) {
    const Explanation& e = answers[i];
    if (!e.found()) {
      EXPECT_TRUE(std::equal(e.counterfactual.begin(), e.counterfactual.end(), factuals[i].begin())) << i;
      EXPECT_FALSE(e.reason().empty()) << i;
      continue;
    }
    EXPECT_EQ(predicted[i], e.target) << i;
    EXPECT_GE(e.margin, options.margin) << i;
    EXPECT_GT(e.probability, options.probability > 0 ? options.probability : 0.0) << i;
    if (options.sparsity == SparsityKind::top_m)
      EXPECT_LE(e.changes.size(), static_cast<std::size_t>(options.max_changes)) << i;
    if (e.status == Status::valid && options.density != DensityKind::none)
      EXPECT_GE(e.quantile, options.plausible - 0.02) << i;
    std::set<std::size_t> changed;
    for (const FeatureChange& change : e.changes) {
      const Feature& feature = explainer.features()[change.feature];
      changed.insert(change.feature);
      EXPECT_EQ(change.from, factuals[i][change.feature]);
      EXPECT_EQ(change.to, e.counterfactual[change.feature]);
      EXPECT_FALSE(feature.immutable) << feature.name;
      EXPECT_GE(change.to, std::min(*feature.min, change.from)) << feature.name;
      EXPECT_LE(change.to, std::max(*feature.max, change.from)) << feature.name;
      if (feature.direction == Direction::up) EXPECT_GT(change.to, change.from) << feature.name;
      if (feature.direction == Direction::down) EXPECT_LT(change.to, change.from) << feature.name;
      if (*feature.step > 0) EXPECT_NEAR(std::remainder(change.to, *feature.step), 0, 1e-9) << feature.name;
    }
    for (std::size_t j = 0; j < factuals.cols; ++j)
      if (!changed.contains(j))
        EXPECT_EQ(e.counterfactual[j], factuals[i][j]) << "row " << i << ", feature " << j;
  }
}

TEST(Explainer, answers_hold_for_every_density_and_solver) {
  const auto model = random_network(7, 1, 11);
  Training training = labelled_by(*model, 250, 12);
  const Matrix factuals = first_rows(training.rows, 24);
  for (const DensityRow& row : density_catalogue()) {
    if (row.is_given) training.densities = {bell_density(training.rows)};
    Options options = with({{"max-changes", "2"}, {"iterations", "60"}, {"sections", "6"}});
    options.density = row.kind;
    const Explainer explainer(model, training, options);
    for (const Solver solver : {Solver::search, Solver::apg, Solver::automatic}) {
      options.solver = solver;
      const auto answers = explainer.explain(factuals, options);
      expect_true(explainer, factuals, answers, options);
      EXPECT_GE(count_found(answers), 20) << row.name << " " << name_of(solver);
    }
  }
}

TEST(Explainer, every_sparsity_gives_valid_answers) {
  const auto model = random_network(6, 1, 21);
  const Training training = labelled_by(*model, 150, 22);
  const Matrix factuals = first_rows(training.rows, 16);
  Options options =
      with({{"density", "gmm"}, {"solver", "apg"}, {"tau", "0.05"}, {"beta", "0.05"}, {"iterations", "80"}});
  const Explainer explainer(model, training, options);
  for (const SparsityKind sparsity : {SparsityKind::top_m, SparsityKind::l0, SparsityKind::l_half,
                                      SparsityKind::l_two_thirds, SparsityKind::l1, SparsityKind::none}) {
    options.sparsity = sparsity;
    const auto answers = explainer.explain(factuals, options);
    expect_true(explainer, factuals, answers, options);
    EXPECT_GE(count_found(answers), 14) << name_of(sparsity);
  }
}

TEST(Explainer, same_bits_for_any_threads_batch_and_order) {
  const auto model = random_network(6, 3, 31);
  const Training training = labelled_by(*model, 240, 32);
  const Matrix factuals = first_rows(training.rows, 90);
  for (const Solver solver : {Solver::search, Solver::apg}) {
    Options options = with({{"max-changes", "2"},
                            {"iterations", "40"},
                            {"sections", "4"},
                            {"threads", "1"},
                            {"hints", "false"}});
    options.solver = solver;
    options.target = 1;
    const Explainer explainer(model, training, options);
    const auto reference = explainer.explain(factuals, options);
    options.threads = 3;
    const auto threaded = explainer.explain(factuals, options);
    Matrix reversed = factuals;
    for (std::size_t i = 0; i < factuals.rows; ++i)
      std::copy(factuals[i].begin(), factuals[i].end(), reversed[factuals.rows - 1 - i].begin());
    const auto backwards = explainer.explain(reversed, options);
    for (std::size_t i = 0; i < factuals.rows; ++i) {
      EXPECT_TRUE(same(reference[i], threaded[i])) << name_of(solver) << " threads, row " << i;
      EXPECT_TRUE(same(reference[i], backwards[factuals.rows - 1 - i]))
          << name_of(solver) << " order, row " << i;
    }
    for (std::size_t i = 0; i < 12; ++i) {
      Matrix one(1, factuals.cols);
      std::copy(factuals[i].begin(), factuals[i].end(), one[0].begin());
      EXPECT_TRUE(same(reference[i], explainer.explain(one, options)[0]))
          << name_of(solver) << " alone, row " << i;
    }
  }
}

// A linear model without limits: the closest change of m features is lack · g / |g|² on the m largest |g|.
TEST(Explainer, linear_models_get_the_closed_form_optimum) {
  const std::vector<double> w{0.5, -2, 1, 0.2, -1.5};
  const auto model = linear_model(w, 0.3);
  Training training = labelled_by(*model, 300, 41);
  for (std::size_t j = 0; j < w.size(); ++j)
    training.features.push_back(
        {"f" + std::to_string(j), Kind::continuous, -50, 50, 0.0, false, Direction::any, 1, "", {}});
  Options options = with({{"density", "none"}, {"space", "none"}, {"fewest-first", "false"}});
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 40);
  for (int m = 1; m <= 5; ++m) {
    options.max_changes = m;
    const auto answers = explainer.explain(factuals, options);
    std::vector<double> squares;
    for (const double g : w) squares.push_back(g * g);
    std::sort(squares.rbegin(), squares.rend());
    const double norm = std::sqrt(std::accumulate(squares.begin(), squares.begin() + m, 0.0));
    for (std::size_t i = 0; i < factuals.rows; ++i) {
      const double score = std::inner_product(w.begin(), w.end(), factuals[i].begin(), 0.3);
      EXPECT_NEAR(answers[i].l2, (std::abs(score) + 1e-4) / norm, 1e-4 + 1e-4 * answers[i].l2)
          << "m " << m << " row " << i;
    }
  }
}

// The default may exceed the number of features of a small table. A number that the user gives means the
// same.
TEST(Explainer, more_changes_than_features_are_all_of_them) {
  const auto model = random_network(2, 1, 43);
  const Training training = labelled_by(*model, 80, 44);
  const Explainer explainer(model, training);
  const Matrix factuals = first_rows(training.rows, 10);
  Options options;
  options.max_changes = 2;
  const auto expected = explainer.explain(factuals, options);
  EXPECT_TRUE(std::ranges::any_of(expected, [](const Explanation& e) { return !e.changes.empty(); }));
  for (const int more : {3, 4, 1000}) {
    options.max_changes = more;
    const auto answers = explainer.explain(factuals, options);
    for (std::size_t i = 0; i < answers.size(); ++i)
      EXPECT_TRUE(same(answers[i], expected[i])) << more << ", " << i;
  }
}

TEST(Explainer, limits_hold) {
  const auto model = random_network(6, 1, 51);
  Training training = labelled_by(*model, 200, 52);
  training.features.resize(6);
  training.features[0].immutable = true;
  training.features[1].direction = Direction::up;
  training.features[2].direction = Direction::down;
  training.features[3].min = -0.5;
  training.features[3].max = 0.5;
  training.features[4].step = 0.25;
  training.features[5].kind = Kind::integer;
  for (std::size_t i = 0; i < training.rows.rows; ++i)
    training.rows[i][5] = std::round(training.rows[i][5] * 2);
  for (const Solver solver : {Solver::search, Solver::apg}) {
    Options options = with({{"density", "kde"}, {"plausible", "0.05"}, {"iterations", "60"}});
    options.solver = solver;
    const Explainer explainer(model, training, options);
    const Matrix factuals = first_rows(training.rows, 60);
    const auto answers = explainer.explain(factuals, options);
    expect_true(explainer, factuals, answers, options);
    EXPECT_GE(count_found(answers), 30) << name_of(solver);
  }
}

TEST(Explainer, a_factual_far_outside_the_training_range_stays_possible) {
  const auto model = random_network(5, 1, 61);
  const Training training = labelled_by(*model, 150, 62);
  Matrix factuals(2, 5);
  for (double& value : factuals.values) value = 40;
  for (std::size_t j = 0; j < 5; ++j) factuals[1][j] = -1e6;
  const Options options = with({{"max-changes", "5"}});
  const Explainer explainer(model, training, options);
  const auto answers = explainer.explain(factuals, options);
  expect_true(explainer, factuals, answers, options);
  for (const Explanation& e : answers) EXPECT_TRUE(std::isfinite(e.margin) && std::isfinite(e.l2));
  // From a million ranges away the search does not find its way back, although there is one.
  EXPECT_TRUE(answers[0].found()) << answers[0].reason();
}

TEST(Explainer, odd_data_gives_no_nan) {
  const auto model = linear_model({1, 0.5, 0}, 0);
  Training training;
  training.rows = Matrix(8, 3);
  training.labels = {0, 0, 0, 0, 1, 1, 1, 1};
  for (std::size_t i = 0; i < 8; ++i) {
    training.rows[i][0] = i < 4 ? -1 : 1;  // duplicates within each class
    training.rows[i][1] = 2;               // constant
    training.rows[i][2] = 7;
    if (i < 4) training.rows[i][0] -= 2;
  }
  for (const DensityRow& row : density_catalogue()) {
    Options options = with({{"neighbours", "2"}, {"max-changes", "1"}});
    options.density = row.kind;
    if (row.is_given) training.densities = {bell_density(training.rows)};
    const Explainer explainer(model, training, options);
    const auto answers = explainer.explain(first_rows(training.rows, 8), options);
    for (const Explanation& e : answers) {
      EXPECT_TRUE(std::isfinite(e.margin) && std::isfinite(e.log_density) && std::isfinite(e.l2)) << row.name;
      EXPECT_TRUE(e.found()) << row.name << ": " << e.reason();
    }
  }
}

TEST(Explainer, statuses_and_reasons) {
  const auto model = linear_model({1, 0.001}, 0);
  Training training;
  training.rows = Matrix(20, 2);
  for (std::size_t i = 0; i < 20; ++i) {
    training.rows[i][0] = (i < 10 ? -1.0 : 1.0) * (0.5 + 0.05 * static_cast<double>(i % 10));
    training.rows[i][1] = 0.1 * static_cast<double>(i % 10);
    training.labels.push_back(i < 10 ? 0 : 1);
  }
  Options options = with({{"max-changes", "1"}, {"target", "1"}});
  training.features = {{"income", Kind::continuous, {}, {}, {}, true, Direction::any, 1, "", {}},
                       {"age", Kind::continuous, {}, {}, {}, false, Direction::any, 1, "", {}}};
  const Explainer frozen(model, training, options);
  Matrix factuals(2, 2);
  factuals.values = {-0.7, 0.4, 0.8, 0.4};
  const auto answers = frozen.explain(factuals, options);
  EXPECT_EQ(answers[0].status, Status::not_found);
  EXPECT_NE(answers[0].reason().find("income may not change"), std::string::npos) << answers[0].reason();
  EXPECT_NE(answers[0].reason().find("age <= 0.9"), std::string::npos) << answers[0].reason();
  EXPECT_EQ(answers[1].status, Status::already);
  EXPECT_TRUE(answers[1].changes.empty());

  training.features.clear();
  options.plausible = 0.9;
  factuals[0][1] = 1.1;  // one change can fix the class or this odd value, not both
  const Explainer free(model, training, options);
  const Explanation below = free.explain(factuals, options)[0];
  EXPECT_EQ(below.status, Status::below_floor) << below.reason();
  EXPECT_LT(below.quantile, 0.9);
  EXPECT_NE(below.reason().find("90 % were asked for"), std::string::npos) << below.reason();

  options.time_limit = 1e-9;
  EXPECT_EQ(free.explain(factuals, options)[0].status, Status::time_limit);
}

TEST(Explainer, a_model_that_is_not_finite_is_said_so) {
  Callback callback;
  callback.features = 2;
  callback.scores = 1;
  callback.value = [](std::span<const float> x, std::span<float> z) { z[0] = x[0] > 5 ? NAN : x[0]; };
  callback.gradient = [](std::span<const float>, std::span<const float> seed, std::span<float> g) {
    g[0] = seed[0];
    g[1] = 0;
  };
  const auto model = callback_model(callback);
  const Training training = labelled_by(*model, 60, 71);
  const Options options = with({{"max-changes", "1"}});
  const Explainer explainer(model, training, options);
  Matrix factuals(2, 2);
  factuals.values = {6, 0, -1, 0};
  const auto answers = explainer.explain(factuals, options);
  EXPECT_EQ(answers[0].status, Status::not_finite);
  EXPECT_TRUE(answers[1].found());

  callback.value = [](std::span<const float>, std::span<float> z) { z[0] = NAN; };
  try {
    const Explainer never(callback_model(callback), training, options);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "model: expected scores that are numbers, got nan at each of the training rows");
  }
}

TEST(Explainer, a_single_row_and_a_copy_give_the_same_answer) {
  const auto model = random_network(6, 1, 91);
  const Training training = labelled_by(*model, 200, 92);
  std::optional<Explainer> first(std::in_place, model, training);
  const Explainer copy = *first, limited = first->with_features(first->features());
  const Matrix factuals = first_rows(training.rows, 5);
  const auto answers = first->explain(factuals);
  first.reset();
  for (std::size_t i = 0; i < factuals.rows; ++i)
    for (const Explainer& explainer : {copy, limited})
      EXPECT_EQ(explainer.explain_one(factuals[i]).counterfactual, answers[i].counterfactual) << i;
}

TEST(Explainer, predictions_agree_with_the_answers) {
  for (const std::size_t scores : {1, 3}) {
    const auto model = random_network(6, scores, 81);
    const Training training = labelled_by(*model, 200, 82);
    const Options options = with({{"target", "1"}, {"density", "none"}});
    const Explainer explainer(model, training, options);
    EXPECT_EQ(explainer.classes(), scores == 1 ? 2U : 3U);
    const Matrix factuals = first_rows(training.rows, 20);
    const auto answers = explainer.explain(factuals);
    for (const Explanation& e : answers) {
      Matrix row(1, 6);
      row.values = e.counterfactual;
      const Prediction said = explainer.predictions(row)[0];
      EXPECT_NEAR(std::accumulate(said.probability.begin(), said.probability.end(), 0.0), 1, 1e-12);
      EXPECT_EQ(said.probability[1], e.probability);
      EXPECT_EQ(said.winner == 1, e.found());
    }
    EXPECT_EQ(answers.size(), 20U);
  }
}

TEST(Explainer, a_target_probability_is_reached) {
  for (const std::size_t scores : {1, 3}) {
    const auto model = random_network(6, scores, 81);
    const Training training = labelled_by(*model, 240, 82);
    Options options = with({{"probability", "0.8"}, {"plausible", "0"}, {"target", "1"}});
    const Explainer explainer(model, training, options);
    const Matrix factuals = first_rows(training.rows, 30);
    const auto answers = explainer.explain(factuals, options);
    expect_true(explainer, factuals, answers, options);
    int valid = 0;
    for (const Explanation& e : answers) {
      if (e.status != Status::valid) continue;
      ++valid;
      EXPECT_NEAR(e.probability, 0.8, 0.01);
    }
    EXPECT_GE(valid, 10) << scores;
  }
}

TEST(Explainer, fewest_first_never_changes_more_than_needed) {
  const auto model = random_network(6, 1, 91);
  const Training training = labelled_by(*model, 200, 92);
  Options options = with({{"max-changes", "3"}});
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 40);
  const auto fewest = explainer.explain(factuals, options);
  options.max_changes = 1;
  const auto single = explainer.explain(factuals, options);
  int valid = 0;
  for (std::size_t i = 0; i < factuals.rows; ++i) {
    if (single[i].status != Status::valid) continue;
    ++valid;
    EXPECT_EQ(fewest[i].changes.size(), 1U) << i;
  }
  EXPECT_GE(valid, 10);
}

TEST(Explainer, many_features_are_narrowed_by_apg_first) {
  const auto model = random_network(120, 1, 101);
  const Training training = labelled_by(*model, 200, 102);
  const Options options = with({{"density", "none"}, {"max-changes", "8"}, {"step", "0.05"}});
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 20);
  const auto answers = explainer.explain(factuals, options);
  expect_true(explainer, factuals, answers, options);
  const auto found =
      std::count_if(answers.begin(), answers.end(), [](const Explanation& e) { return e.found(); });
  EXPECT_GE(found, 18);
}

TEST(Explainer, tuning_keeps_the_best_of_the_grid) {
  const auto model = random_network(4, 1, 111);
  const Training training = labelled_by(*model, 80, 112);
  const Matrix factuals = first_rows(training.rows, 4);
  for (const DensityKind density : {DensityKind::gmm, DensityKind::knn}) {
    Options options = with({{"solver", "apg"},
                            {"sparsity", "l1"},
                            {"iterations", "30"},
                            {"sections", "4"},
                            {"tune", "true"},
                            {"plausible", "0"}});
    options.density = density;
    const Explainer explainer(model, training, options);
    const auto tuned = explainer.explain(factuals, options);
    expect_true(explainer, factuals, tuned, options);
    EXPECT_EQ(count_found(tuned), 4) << name_of(density);
    options.tune = false;
    int compared = 0;
    for (const double beta : {1e-3, 1e-1, 10.0}) {
      options.beta = beta;
      const auto plain = explainer.explain(factuals, options);
      for (std::size_t i = 0; i < factuals.rows; ++i)
        if (plain[i].found()) {
          ++compared;
          EXPECT_LE(tuned[i].changes.size(), plain[i].changes.size()) << name_of(density) << " row " << i;
        }
    }
    EXPECT_GE(compared, 6) << name_of(density);
  }
}

// A column that a rule derives is no change of its own: the fewest changes are counted without it.
TEST(Explainer, tuning_counts_no_derived_column) {
  const auto model = random_network(5, 1, 61);
  Training training = labelled_by(*model, 120, 114);
  training.features = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}, {.name = "sum"}};
  for (Feature& feature : training.features) feature.step = 0.01;
  for (std::size_t i = 0; i < training.rows.rows; ++i) {
    const std::span<double> row = training.rows[i];
    for (std::size_t j = 0; j < 4; ++j) row[j] = std::round(100 * row[j]) / 100;
    row[4] = std::round(100 * (row[0] + row[1])) / 100;
  }
  training.labels = test::labels_of(*model, training.rows);
  training.rules = {"sum := a + b"};
  const Matrix factuals = first_rows(training.rows, 16);
  Options options = with({{"solver", "apg"},
                          {"sparsity", "l1"},
                          {"density", "gmm"},
                          {"iterations", "20"},
                          {"sections", "3"},
                          {"tune", "true"},
                          {"plausible", "0"}});
  const Explainer explainer(model, training, options);
  const auto tuned = explainer.explain(factuals, options);
  options.tune = false;
  int compared = 0, derived = 0;
  for (const Explanation& e : tuned)
    derived += e.found() && e.counterfactual[4] != factuals[static_cast<std::size_t>(&e - tuned.data())][4];
  for (const double beta : {1e-3, 1e-2, 1e-1, 1.0, 10.0})
    for (const double tau : {1e-3, 1e-1, 1.0}) {
      options.beta = beta;
      options.tau = tau;
      const auto plain = explainer.explain(factuals, options);
      for (std::size_t i = 0; i < factuals.rows; ++i) {
        if (!plain[i].found()) continue;
        ++compared;
        EXPECT_LE(tuned[i].changes.size(), plain[i].changes.size())
            << "row " << i << ", " << beta << ", " << tau;
      }
    }
  EXPECT_GE(compared, 50);
  EXPECT_GE(derived, 3);
}

TEST(Explainer, no_rows_no_answers) {
  const auto model = random_network(3, 1, 131);
  const Training training = labelled_by(*model, 40, 132);
  EXPECT_TRUE(Explainer(model, training).explain(Matrix(0, 3)).empty());
}

}  // namespace
}  // namespace scfe
