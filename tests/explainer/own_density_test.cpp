// A density of the user's own: one file or several, functions, every solver, categories, and what is refused.
#include "explainer/own_density.h"

#include <gtest/gtest.h>

#include <functional>

#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/explainer.h"
#include "tests/data/scratch.h"
#include "tests/helper/clouds.h"
#include "tests/plausibility/own_density.h"

namespace scfe {
namespace {

using test::bell_of;
using test::bells_onnx;
using test::first_rows;
using test::labelled_by;
using test::random_network;

struct Cloud {
  std::shared_ptr<const Model> model = random_network(6, 1, 41);
  Training training = labelled_by(*model, 300, 42);
  Matrix factuals = first_rows(training.rows, 40);

  test::Bell bell(int target) const {
    Matrix rows(0, training.rows.cols);
    for (std::size_t i = 0; i < training.labels.size(); ++i) {
      if (training.labels[i] != target) continue;
      rows.values.insert(rows.values.end(), training.rows[i].begin(), training.rows[i].end());
      ++rows.rows;
    }
    return bell_of(rows);
  }
  Explainer with(std::vector<DensityModel> densities, Options options = {}) const {
    Training own = training;
    own.densities = std::move(densities);
    options.density = DensityKind::own;
    return Explainer(model, own, options);
  }
};

DensityModel bells(const std::vector<test::Bell>& list) {
  return density_model_of(bells_onnx(list), "bells.onnx");
}

// The same Gaussian as functions of the caller.
DensityModel bell_functions(const test::Bell& bell, bool with_gradient) {
  Callback callback{bell.centre.size(), 1, {}, {}};
  callback.value = [bell](std::span<const float> x, std::span<float> scores) {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum -= 0.5 * bell.precision[j] * (x[j] - bell.centre[j]) * (x[j] - bell.centre[j]);
    scores[0] = static_cast<float>(sum);
  };
  if (with_gradient)
    callback.gradient = [bell](std::span<const float> x, std::span<const float> seed,
                               std::span<float> gradient) {
      for (std::size_t j = 0; j < x.size(); ++j)
        gradient[j] = seed[0] * bell.precision[j] * (bell.centre[j] - x[j]);
    };
  return {callback_model(callback), "bell functions"};
}

double log_bell(const test::Bell& bell, std::span<const double> x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j)
    sum -= 0.5 * bell.precision[j] * (x[j] - bell.centre[j]) * (x[j] - bell.centre[j]);
  return sum;
}

std::string refusal_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(OwnDensity, answers_keep_the_floor_as_the_formula_itself_computes_it) {
  const Cloud table;
  const std::vector<test::Bell> own{table.bell(0), table.bell(1)};
  int compared = 0;
  for (const Solver solver : {Solver::search, Solver::apg}) {
    Options options;
    options.solver = solver;
    const Explainer explainer = table.with({bells(own)}, options);
    options.density = DensityKind::own;
    for (const Explanation& e : explainer.explain(table.factuals, options)) {
      if (!e.found()) continue;
      const double value = log_bell(own[static_cast<std::size_t>(e.target)], e.counterfactual);
      EXPECT_NEAR(e.log_density, value, 1e-4 * (1 + std::abs(value)));
      if (e.status != Status::valid) continue;
      ++compared;
      EXPECT_GE(value, Diagnostics(explainer).floor(e.target, options.plausible) - 1e-4);
    }
  }
  EXPECT_GE(compared, 60);
}

// A Gaussian of one's own is the density that gmm fits with one component, but for a constant: the answers
// lie as close, although the search knows no bound on its curvature.
TEST(OwnDensity, a_search_without_a_bound_finds_answers_as_close_as_with_one) {
  const Cloud table;
  Options options;
  options.density = DensityKind::gmm;
  options.max_components = 1;
  options.max_changes = 2;
  const Explainer fitted(table.model, table.training, options);
  const Explainer own = table.with({bells({table.bell(0), table.bell(1)})}, options);
  Options asked = options;
  asked.density = DensityKind::own;
  const auto expected = fitted.explain(table.factuals, options), found = own.explain(table.factuals, asked);
  int valid = 0, missed = 0, farther = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].status != Status::valid) continue;
    ++valid;
    if (found[i].status != Status::valid)
      ++missed;
    else if (found[i].changes.size() == expected[i].changes.size())
      farther += found[i].l2 > 1.02 * expected[i].l2;
  }
  EXPECT_GE(valid, 30);
  EXPECT_LE(missed, 1);
  EXPECT_LE(farther, 2);
}

TEST(OwnDensity, one_file_for_each_class_is_one_output_for_each_class) {
  const Cloud table;
  const test::Bell zero = table.bell(0), one = table.bell(1);
  const auto a = table.with({bells({zero, one})}).explain(table.factuals),
             b = table.with({bells({zero}), bells({one})}).explain(table.factuals);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].counterfactual, b[i].counterfactual);
    EXPECT_EQ(a[i].log_density, b[i].log_density);
  }
  // The swapped ones give other answers, so the order of the classes counts.
  const auto swapped = table.with({bells({one}), bells({zero})}).explain(table.factuals);
  int other = 0;
  for (std::size_t i = 0; i < a.size(); ++i) other += a[i].counterfactual != swapped[i].counterfactual;
  EXPECT_GT(other, 5);
}

TEST(OwnDensity, functions_answer_like_the_file) {
  const Cloud table;
  const test::Bell bell = bell_of(table.training.rows);
  const auto file = table.with({bells({bell})}).explain(table.factuals);
  for (const bool with_gradient : {true, false}) {
    const auto functions = table.with({bell_functions(bell, with_gradient)}).explain(table.factuals);
    int found = 0;
    for (std::size_t i = 0; i < file.size(); ++i) {
      EXPECT_EQ(functions[i].status, file[i].status);
      if (!file[i].found() || !functions[i].found()) continue;
      ++found;
      EXPECT_NEAR(functions[i].l2, file[i].l2, 0.02 * file[i].l2);
    }
    EXPECT_GE(found, 35);
  }
}

TEST(OwnDensity, of_the_work_space_is_that_of_the_inputs_in_other_units) {
  const Cloud table;
  const test::Bell bell = bell_of(table.training.rows);
  test::Bell scaled = bell;
  for (std::size_t j = 0; j < 6; ++j) {
    double lo = table.training.rows[0][j], hi = lo;
    for (std::size_t i = 0; i < table.training.rows.rows; ++i) {
      lo = std::min(lo, table.training.rows[i][j]);
      hi = std::max(hi, table.training.rows[i][j]);
    }
    scaled.centre[j] = static_cast<float>((bell.centre[j] - lo) / (hi - lo));
    scaled.precision[j] = static_cast<float>(bell.precision[j] * (hi - lo) * (hi - lo));
  }
  Options work;
  work.density_space = DensitySpace::work;
  const Explainer a = table.with({bells({bell})}), b = table.with({bells({scaled})}, work);
  for (const int target : {0, 1})
    EXPECT_NEAR(Diagnostics(a).floor(target, 0.1), Diagnostics(b).floor(target, 0.1), 1e-3);
  const auto of_inputs = a.explain(table.factuals), of_work = b.explain(table.factuals);
  for (std::size_t i = 0; i < of_inputs.size(); ++i) {
    EXPECT_EQ(of_inputs[i].status, of_work[i].status);
    EXPECT_NEAR(of_inputs[i].l2, of_work[i].l2, 0.02 * of_inputs[i].l2);
  }
}

// A thousand times a log-density has the same floors, in other units.
TEST(OwnDensity, the_unit_of_the_log_density_does_not_matter) {
  const Cloud table;
  test::Bell steep = bell_of(table.training.rows);
  for (float& precision : steep.precision) precision *= 1000;
  const auto answers = table.with({bells({steep})}).explain(table.factuals);
  const auto mild = table.with({bells({bell_of(table.training.rows)})}).explain(table.factuals);
  int farther = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].status, mild[i].status) << i;
    farther += answers[i].l2 > 1.02 * mild[i].l2;
  }
  EXPECT_LE(farther, 1);
}

TEST(OwnDensity, categories_are_inputs_as_the_model_takes_them) {
  const auto model = random_network(5, 1, 51);
  Training training = labelled_by(*model, 300, 52);
  training.features.resize(3);
  training.features[1] = {.name = "level", .kind = Kind::categorical, .levels = {"a", "b", "c"}};
  test::Uniform random(53);
  for (std::size_t i = 0; i < training.rows.rows; ++i) {
    const int level = random.integer(0, 2);
    for (int k = 0; k < 3; ++k) training.rows[i][static_cast<std::size_t>(1 + k)] = k == level;
  }
  Options without;
  without.density = DensityKind::none;
  const Explainer relabel(model, training, without);
  training.labels = relabel.predict(training.rows);
  const test::Bell bell = bell_of(training.rows);
  training.densities = {bells({bell})};
  Options options;
  options.density = DensityKind::own;
  const Explainer explainer(model, training, options);
  int valid = 0, other_level = 0;
  for (const Solver solver : {Solver::search, Solver::apg}) {
    options.solver = solver;
    for (const Explanation& e : explainer.explain(first_rows(training.rows, 40), options)) {
      if (e.status != Status::valid) continue;
      ++valid;
      for (const FeatureChange& change : e.changes) other_level += change.feature == 1;
      const double value = log_bell(bell, e.counterfactual);
      EXPECT_NEAR(e.log_density, value, 1e-4 * (1 + std::abs(value)));
      EXPECT_GE(value, Diagnostics(explainer).floor(e.target, options.plausible) - 1e-4);
    }
  }
  EXPECT_GE(valid, 50);
  EXPECT_GT(other_level, 0);
}

// More than 64 features begin with climbs, which read the estimated curvature as well.
TEST(OwnDensity, many_features_are_climbed) {
  const auto model = random_network(70, 1, 61);
  Training training = labelled_by(*model, 200, 62);
  const test::Bell bell = bell_of(training.rows);
  training.densities = {bells({bell})};
  Options options;
  options.density = DensityKind::own;
  options.max_changes = 6;
  const Explainer explainer(model, training, options);
  int valid = 0;
  for (const Explanation& e : explainer.explain(first_rows(training.rows, 12))) {
    if (e.status != Status::valid) continue;
    ++valid;
    EXPECT_GE(log_bell(bell, e.counterfactual),
              Diagnostics(explainer).floor(e.target, options.plausible) - 1e-4);
  }
  EXPECT_GE(valid, 9);
}

TEST(OwnDensity, what_does_not_fit_is_refused) {
  const Cloud table;
  const test::Bell bell = bell_of(table.training.rows), narrow{{0, 0}, {1, 1}};
  EXPECT_EQ(refusal_of([&] { table.with({bells({narrow})}); }),
            "bells.onnx: inputs: expected 6 (the model's inputs), got 2");
  EXPECT_EQ(refusal_of([&] {
              Options work;
              work.density_space = DensitySpace::work;
              table.with({bells({narrow})}, work);
            }),
            "bells.onnx: inputs: expected 6 (the columns of the work space: a number has one, a category one "
            "for each level), got 2");
  EXPECT_EQ(refusal_of([&] {
              table.with({bells({bell, bell, bell})});
            }),
            "bells.onnx: columns of its output: expected 1, or one for each of 2 classes, got 3");
  EXPECT_EQ(refusal_of([&] {
              table.with({bells({bell, bell}), bells({bell})});
            }),
            "bells.onnx: columns of its output: expected 1, the log-density of the class, got 2");
  EXPECT_EQ(refusal_of([&] {
              table.with({bells({bell}), bells({bell}), bells({bell})});
            }),
            "density: expected one file, or one for each of 2 classes, got 3");
  EXPECT_EQ(refusal_of([&] { table.with({}); }),
            "density: expected a log-density of your own (--density FILE.onnx; in C++ Training::densities), "
            "got none");
  Training training = table.training;
  training.densities = {bells({bell})};
  EXPECT_EQ(refusal_of([&] { Explainer(table.model, training, {}); }),
            "density: expected own beside a density of your own, got kde");
}

TEST(OwnDensity, a_bundle_cannot_hold_functions) {
  const Table rows = read_csv(test::data_file("wine.csv"));
  const Schema schema = read_schema(test::data_file("wine.schema.json"));
  const test::Bell bell = bell_of(Encoder(schema).encode(rows).inputs);
  Options options;
  options.density = DensityKind::own;
  const Bundle bundle = fit_bundle(read_model_file(test::data_file("models/wine.json")), schema, rows,
                                   options, {bell_functions(bell, true)});
  EXPECT_EQ(refusal_of([&] { bundle_bytes(bundle); }),
            "fitted file: expected a density from an ONNX file, got bell functions, functions that no file "
            "can hold");
  EXPECT_NE(fitted_fingerprint(bundle.explainer), 0U);
}

}  // namespace
}  // namespace scfe
