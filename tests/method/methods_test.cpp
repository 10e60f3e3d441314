#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "actionability/scaling.h"
#include "method/catalogue.h"
#include "method/mip.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::linear_model;
using test::random_network;

Options asked(Method method) {
  Options options;
  options.method = method;
  return options;
}

bool takes_networks(Method method) { return method != Method::pcfe; }

std::shared_ptr<const Model> model_for(Method method) {
  return takes_networks(method) ? random_network(6, 1, 21) : linear_model({1, -2, 0.5, 1, 0, 0.3}, 0.2);
}

void expect_error(const std::function<void()>& run, const std::string& part) {
  try {
    run();
    FAIL() << "expected an error with '" << part << "'";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

// Answers that differ from their factual.
std::ptrdiff_t count_changed(const std::vector<Explanation>& answers) {
  return std::ranges::count_if(answers, [](const Explanation& e) { return e.found() && !e.changes.empty(); });
}

// For every method: answers called valid are valid as written and within the limits; without an answer the
// factual is returned.
TEST(Methods, answers_hold_for_every_row_of_the_catalogue) {
  for (const MethodRow& row : method_catalogue()) {
    SCOPED_TRACE(row.name);
    const auto model = model_for(row.method);
    Training training = labelled_by(*model, 160, 22);
    training.features.resize(6);
    training.features[1].immutable = true;
    training.features[2].direction = Direction::up;
    training.features[3].step = 0.25;
    for (std::size_t i = 0; i < training.rows.rows; ++i)
      training.rows[i][3] = std::round(training.rows[i][3] * 4) / 4;
    training.labels = labelled_by(*model, 160, 22).labels;
    const Explainer explainer(model, training);
    const Matrix factuals = first_rows(training.rows, 40);
    const std::vector<Explanation> answers = explainer.explain(factuals, asked(row.method));
    int found = 0;
    for (std::size_t i = 0; i < factuals.rows; ++i) {
      const Explanation& e = answers[i];
      Matrix written(1, 6);
      std::copy(e.counterfactual.begin(), e.counterfactual.end(), written[0].begin());
      if (!e.found()) {
        EXPECT_TRUE(std::ranges::equal(written[0], factuals[i]));
        EXPECT_FALSE(e.reason().empty());
        continue;
      }
      ++found;
      EXPECT_EQ(explainer.predict(written)[0], e.target) << i;
      EXPECT_NEAR(std::remainder(written[0][3], 0.25), 0, 1e-9);
      if (row.method == Method::cem_pp) {
        EXPECT_EQ(e.target, e.predicted);
        continue;
      }
      EXPECT_NE(e.target, e.predicted);
      EXPECT_EQ(written[0][1], factuals[i][1]);
      EXPECT_GE(written[0][2], factuals[i][2]);
    }
    EXPECT_GE(found, row.method == Method::cem_pn ? 5 : 15);
  }
}

TEST(Methods, the_same_bits_for_any_number_of_threads) {
  for (const MethodRow& row : method_catalogue()) {
    const auto model = model_for(row.method);
    const Training training = labelled_by(*model, 120, 31);
    const Explainer explainer(model, training);
    const Matrix factuals = first_rows(training.rows, 10);
    Options one = asked(row.method), three = one;
    one.threads = 1;
    three.threads = 3;
    const auto a = explainer.explain(factuals, one), b = explainer.explain(factuals, three);
    const auto alone = explainer.explain(first_rows(factuals, 1), one);
    EXPECT_EQ(a[0].counterfactual, alone[0].counterfactual) << row.name;
    for (std::size_t i = 0; i < a.size(); ++i)
      EXPECT_EQ(a[i].counterfactual, b[i].counterfactual) << row.name << " " << i;
    EXPECT_GE(count_changed(a), row.method == Method::cem_pn ? 1 : 3) << row.name;
  }
}

// dcfe is the equation with p = 1 and the kNN term, so it gives the same bits as apg with those options.
TEST(Methods, dcfe_is_apg_with_gravity_and_l1) {
  const auto model = random_network(5, 1, 41);
  const Training training = labelled_by(*model, 150, 42);
  const Matrix factuals = first_rows(training.rows, 20);
  Options composed;
  composed.density = DensityKind::knn;
  composed.plausible = 0;
  composed.solver = Solver::apg;
  composed.sparsity = SparsityKind::l1;
  const Explainer gravity(model, training, composed);
  Options dcfe = asked(Method::dcfe);
  dcfe.plausible = 0;
  const Explainer other(model, training);
  const auto a = gravity.explain(factuals), b = other.explain(factuals, dcfe);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].counterfactual, b[i].counterfactual) << i;
  EXPECT_GE(count_changed(a), 10);
}

// Rows do not affect each other, however many blocks of lanes they fill.
TEST(Methods, answers_do_not_depend_on_the_other_rows) {
  for (const MethodRow& row : method_catalogue()) {
    SCOPED_TRACE(row.name);
    const auto model = model_for(row.method);
    const Training training = labelled_by(*model, 200, 23);
    const Explainer explainer(model, training);
    Options options = asked(row.method);
    options.threads = 1;
    const std::vector<Explanation> all = explainer.explain(training.rows, options);
    Matrix last(20, training.rows.cols);
    for (std::size_t i = 0; i < last.rows; ++i) std::ranges::copy(training.rows[180 + i], last[i].begin());
    const std::vector<Explanation> alone = explainer.explain(last, options);
    for (std::size_t i = 0; i < last.rows; ++i) {
      EXPECT_EQ(all[180 + i].status, alone[i].status) << i;
      EXPECT_EQ(all[180 + i].counterfactual, alone[i].counterfactual) << i;
    }
    EXPECT_GE(count_changed(alone), row.method == Method::cem_pn ? 2 : 6);
  }
}

// Numbers of pertinent negatives move away from the medians, those of pertinent positives lie between them
// and the row.
TEST(Methods, cem_keeps_to_its_sides) {
  const auto model = random_network(5, 1, 51);
  const Training training = labelled_by(*model, 151, 52);
  const Explainer explainer(model, training);
  std::vector<double> median;
  for (std::size_t j = 0; j < 5; ++j) {
    std::vector<double> column;
    for (std::size_t i = 0; i < 151; ++i) column.push_back(training.rows[i][j]);
    std::nth_element(column.begin(), column.begin() + 75, column.end());
    median.push_back(column[75]);
  }
  const Matrix factuals = first_rows(training.rows, 30);
  const auto negative = explainer.explain(factuals, asked(Method::cem_pn)),
             positive = explainer.explain(factuals, asked(Method::cem_pp));
  int moved = 0, kept = 0;
  for (std::size_t i = 0; i < factuals.rows; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      const double x = factuals[i][j], n = negative[i].counterfactual[j], p = positive[i].counterfactual[j];
      EXPECT_GE((n - x) * (x - median[j]), -1e-9) << i;
      moved += n != x;
      if (!positive[i].found()) continue;
      EXPECT_GE(p, std::min(x, median[j]) - 1e-6);
      EXPECT_LE(p, std::max(x, median[j]) + 1e-6);
      kept += std::abs(p - median[j]) > 1e-6;
    }
  EXPECT_GT(moved, 5);
  EXPECT_GT(kept, 5);
}

// The identity reproduces every row, so as an autoencoder it changes nothing. Another autoencoder does.
TEST(Methods, an_autoencoder_is_a_term_of_cem) {
  const auto model = random_network(4, 1, 91);
  const Training training = labelled_by(*model, 120, 92);
  const Explainer plain(model, training);
  const auto coder = [](double scale) {
    Matrix weight(4, 4);
    for (std::size_t j = 0; j < 4; ++j) weight[j][j] = scale;
    return dense_network({{weight, std::vector<double>(4, 0.0), "none"}});
  };
  const Matrix factuals = first_rows(training.rows, 12);
  Options options = asked(Method::cem_pn);
  options.tau = 10;
  const auto without = plain.explain(factuals, options),
             same = plain.with_autoencoder(coder(1)).explain(factuals, options),
             pulled = plain.with_autoencoder(coder(0)).explain(factuals, options);
  int different = 0;
  for (std::size_t i = 0; i < factuals.rows; ++i) {
    EXPECT_EQ(without[i].counterfactual, same[i].counterfactual) << i;
    different += without[i].counterfactual != pulled[i].counterfactual;
  }
  EXPECT_GT(different, 0);
  expect_error([&] { plain.with_autoencoder(model); }, "as many outputs");
}

// No change of a nearest answer can be undone, and all its values come from a row of the class.
TEST(Methods, nearest_keeps_only_what_it_needs) {
  const auto model = random_network(5, 1, 71);
  const Training training = labelled_by(*model, 150, 72);
  const Explainer explainer(model, training);
  const Matrix factuals = first_rows(training.rows, 20);
  const auto answers = explainer.explain(factuals, asked(Method::nearest));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    ASSERT_TRUE(answers[i].found());
    bool from_one_row = false;
    for (std::size_t k = 0; k < training.rows.rows; ++k)
      from_one_row |= training.labels[k] == answers[i].target &&
                      std::ranges::all_of(answers[i].changes, [&](const FeatureChange& change) {
                        return std::abs(training.rows[k][change.feature] - change.to) < 1e-6;
                      });
    EXPECT_TRUE(from_one_row) << i;
    for (const FeatureChange& change : answers[i].changes) {
      Matrix back(1, 5);
      std::copy(answers[i].counterfactual.begin(), answers[i].counterfactual.end(), back[0].begin());
      back[0][change.feature] = change.from;
      EXPECT_NE(explainer.predict(back)[0], answers[i].target) << i;
    }
  }
}

// Certified answers of S-CFE are never below the bound, and nearly always optimal.
TEST(Methods, certificates_of_our_own_answers) {
  const auto model = random_network(6, 1, 21);
  const Training training = labelled_by(*model, 150, 22);
  Options options;
  options.density = DensityKind::none;
  options.certify = true;
  const Explainer explainer(model, training, options);
  const Matrix factuals = first_rows(training.rows, 40);
  const auto answers = explainer.explain(factuals);
  int proven = 0, found = 0;
  for (const Explanation& e : answers) {
    if (!e.found()) continue;
    ++found;
    EXPECT_FALSE(e.certificate.empty());
    EXPECT_GE(e.l2, e.lower_bound * (1 - 1e-9));
    proven += e.certificate == "proven optimal";
    EXPECT_EQ(e.proof, e.certificate == "proven optimal" ? Proof::closest : Proof::within_bound);
  }
  EXPECT_GT(found, 30);
  EXPECT_GE(proven, 0.95 * found) << proven << " of " << found;
}

TEST(Methods, what_does_not_apply_is_said) {
  const auto network = random_network(4, 3, 97), smooth = random_network(4, 1, 98, "tanh");
  const Training several = labelled_by(*network, 120, 99), two = labelled_by(*smooth, 120, 99);
  const Explainer classes(network, several), curved(smooth, two);
  const Matrix factuals = first_rows(several.rows, 2);
  Options options = asked(Method::cem_pn);
  options.target = 1;
  expect_error([&] { classes.explain(factuals, options); }, "cannot be sent to one of several");
  options.target = Target::any();
  EXPECT_EQ(classes.explain(factuals, options).size(), 2U);
  expect_error([&] { curved.explain(factuals, asked(Method::mip_live)); }, "activation tanh");
  expect_error([&] { curved.explain(factuals, asked(Method::pcfe)); }, "such as a network");
  Options path = asked(Method::wachter);
  path.path = true;
  expect_error([&] { curved.explain(factuals, path); }, "method scfe");
  Options certify;
  certify.certify = true;
  expect_error([&] { curved.explain(factuals, certify); }, "ReLU");
  certify.target = 1;
  const Explainer derived = classes.with_rules({"x3 := x0 + x1"});
  EXPECT_EQ(derived.explain(factuals, certify)[0].certificate, "no bound: x3 follows from other features");
}

}  // namespace
}  // namespace scfe
