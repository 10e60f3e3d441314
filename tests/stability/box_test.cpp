// --robust for models whose inputs are not only independent numbers: encoders of categories, derived columns,
// two outputs with a probability.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::first_rows;

// The scores of one point, in the model's own precision.
std::vector<double> scores_of(const Model& model, std::span<const double> x) {
  const auto tape = model.tape(1);
  std::vector<double> scores(model.scores());
  model.forward_one(x, scores, *tape);
  return scores;
}

double lead_of(const Model& model, std::span<const double> x, int target) {
  const std::vector<double> z = scores_of(model, x);
  return z.size() == 1 ? (target == 1 ? z[0] : -z[0])
                       : z[static_cast<std::size_t>(target)] - z[static_cast<std::size_t>(1 - target)];
}

std::string columns_file(const std::string& name) {
  return SCFE_SOURCE_DIR "/tests/fixtures/onnx_columns/" + name + ".onnx";
}

// Columns: amount, job (a code), opened, owner (a code), rate.
Training column_rows(const Model& model, std::size_t count) {
  test::Uniform random(12);
  Training training;
  training.features = {{.name = "amount", .step = 0.01},
                       {.name = "job",
                        .kind = Kind::categorical,
                        .levels = {"clerk", "none", "pro"},
                        .encoding = Encoding::code},
                       {.name = "opened", .kind = Kind::integer, .step = 1},
                       {.name = "owner", .kind = Kind::binary, .levels = {"no", "yes"}},
                       {.name = "rate", .step = 0.001}};
  training.rows = Matrix(count, 5);
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> row = training.rows[i];
    row[0] = std::round(random(1000, 5000) * 100) / 100;
    row[1] = random.integer(0, 2);
    row[2] = random.integer(12000, 19000);
    row[3] = random.integer(0, 1);
    row[4] = std::round(random(0, 0.6) * 1000) / 1000;
    training.labels.push_back(lead_of(model, row, 1) > 0);
  }
  return training;
}

Options stable_wish(double eps) {
  Options options;
  options.density = DensityKind::none;
  options.hints = false;
  options.robust = eps;
  return options;
}

double range_of(const Matrix& rows, std::size_t column) {
  double lo = INFINITY, hi = -INFINITY;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    lo = std::min(lo, rows[i][column]);
    hi = std::max(hi, rows[i][column]);
  }
  return hi - lo;
}

// The least margin at the corners and at random points of the box; levels stay.
double least_lead(const Model& model, const Matrix& rows, const Explanation& e, double eps) {
  constexpr std::size_t numbers[] = {0, 2, 4};
  test::Uniform random(3);
  double least = INFINITY;
  for (unsigned i = 0; i < 400; ++i) {
    std::vector<double> x = e.counterfactual;
    for (unsigned k = 0; k < 3; ++k) {
      const double share = i < 8 ? ((i >> k & 1U) != 0 ? 1.0 : -1.0) : random(-1, 1);
      const double radius = eps * range_of(rows, numbers[k]);
      x[numbers[k]] += share * (numbers[k] == 2 ? std::floor(radius) : radius);
    }
    least = std::min(least, lead_of(model, x, e.target));
  }
  return least;
}

// A ColumnTransformer as skl2onnx writes it: exact before a linear score, bounded before a ReLU network.
TEST(Robust, encoders_of_columns_are_looked_through) {
  for (const auto& [name, proof] :
       {std::pair{"linear", StabilityProof::exact}, {"relu", StabilityProof::bounded}}) {
    OnnxOptions wide;
    wide.precision = Precision::float64;
    const auto model = read_onnx(columns_file(name)), reference = read_onnx(columns_file(name), wide);
    const Training training = column_rows(*model, 200);
    for (const double eps : {0.005, 0.02}) {
      const Options options = stable_wish(eps);
      const Explainer explainer(model, training, options);
      std::size_t found = 0;
      for (const Explanation& e : explainer.explain(first_rows(training.rows, 60), options)) {
        if (!e.found()) continue;
        ++found;
        EXPECT_EQ(e.stability, proof);
        const double least = least_lead(*reference, training.rows, e, eps);
        EXPECT_GT(least, 0) << name;
        EXPECT_LE(e.stable_margin, least + 1e-9) << name;
        if (proof == StabilityProof::exact)
          EXPECT_NEAR(e.stable_margin, least, 0.01 + 0.01 * std::abs(least));
      }
      EXPECT_GE(found, 40U) << name << " " << eps;
    }
  }
}

// If the model looks a number up like a code, its scores at nearby numbers are unknown, so nothing is proven.
TEST(Robust, encoders_of_codes_that_move_are_sampled) {
  const auto model = read_onnx(columns_file("linear"));
  Training training = column_rows(*model, 200);
  training.features[1] = {.name = "job", .kind = Kind::integer, .step = 1};
  for (const auto& [eps, proof] : {std::pair{0.02, StabilityProof::exact}, {0.6, StabilityProof::sampled}}) {
    const Explainer explainer(model, training, stable_wish(eps));
    const std::vector<Target> target = {1};
    EXPECT_EQ(
        Diagnostics(explainer).stability(first_rows(training.rows, 1), stable_wish(eps), target)[0].proof,
        proof);
  }
}

std::vector<std::shared_ptr<const Model>> derived_models() {
  return {test::linear_model({0.6, -0.3, -6}, 1.5), test::random_network(3, 1, 5, "relu"),
          open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"))};
}

// Columns: used, limit, ratio := used / limit, and further ones that the model takes.
Training derived_rows(const Model& model, std::size_t count) {
  test::Uniform random(21);
  Training training = test::labelled_by(model, count, 22);
  training.features.resize(model.features());
  for (std::size_t j = 0; j < model.features(); ++j) training.features[j].name = "x" + std::to_string(j);
  training.features[2].step = 0.0001;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<double> row = training.rows[i];
    row[0] = random(0.2, 2);
    row[1] = random(0.5, 3);
    row[2] = std::round(row[0] / row[1] * 10000) / 10000;
    training.labels[i] = lead_of(model, row, 1) > 0;
  }
  training.rules = {"x2 := x0 / x1"};
  return training;
}

// The derived column follows its sources, however far.
TEST(Robust, derived_columns_follow_their_sources) {
  constexpr double eps = 0.02;
  for (const auto& model : derived_models()) {
    const Training training = derived_rows(*model, 300);
    const Options options = stable_wish(eps);
    const Explainer explainer(model, training, options);
    std::vector<double> range;
    for (std::size_t j = 0; j < model->features(); ++j) range.push_back(range_of(training.rows, j));
    test::Uniform random(8);
    std::size_t found = 0;
    for (const Explanation& e : explainer.explain(first_rows(training.rows, 80), options)) {
      if (!e.found()) continue;
      ++found;
      EXPECT_EQ(e.stability, StabilityProof::bounded);
      for (int i = 0; i < 200; ++i) {
        std::vector<double> x = e.counterfactual;
        for (std::size_t j = 0; j < x.size(); ++j)
          x[j] += eps * range[j] * (i % 2 == 0 ? random(-1, 1) : random.chance(0.5) ? 1 : -1);
        x[2] = std::round(x[0] / x[1] * 10000) / 10000;
        EXPECT_GT(lead_of(*model, x, e.target), 0);
      }
    }
    EXPECT_GE(found, 20U);
  }
}

// A map need not list the levels that rows came with: their derived columns stay as they are.
TEST(Robust, a_level_that_a_map_does_not_list_stays) {
  const std::vector<double> weight = {1, -1, 0, 0, 0.1, 0.1, 0, 0.1};
  const Matrix linear = test::matrix(1, 8, weight), square(1, 8);
  for (const auto& [model, proof] :
       {std::pair<std::shared_ptr<const Model>, StabilityProof>(test::linear_model(weight, 0),
                                                                StabilityProof::bounded),
        {std::make_shared<test::QuadraticModel>(linear, square, std::vector<double>{0}),
         StabilityProof::sampled}}) {
    Training training = test::labelled_by(*model, 60, 23);
    training.features.resize(5);
    for (std::size_t f = 0; f < 5; ++f) training.features[f].name = "x" + std::to_string(f);
    training.features[2] = {
        .name = "job", .kind = Kind::categorical, .immutable = true, .levels = {"a", "b", "c"}};
    training.features[3] = {.name = "rank", .kind = Kind::categorical, .levels = {"low", "high"}};
    training.rules = {"rank := map(job, 'a': 'low', 'b': 'high')", "x4 := map(job, 'a': 1, 'b': 2)"};
    for (std::size_t i = 0; i < training.rows.rows; ++i) {
      const std::vector<double> unlisted = {0, 0, 1, 1, 0, 1};
      std::ranges::copy(unlisted, training.rows[i].begin() + 2);
      training.labels[i] = lead_of(*model, training.rows[i], 1) > 0;
    }
    const Explainer explainer(model, training, stable_wish(0.02));
    std::size_t found = 0;
    for (const Explanation& e : explainer.explain(first_rows(training.rows, 20), stable_wish(0.02))) {
      EXPECT_EQ(e.stability, proof);
      found += e.found() ? 1 : 0;
    }
    EXPECT_GE(found, 15U);
  }
}

// If a divisor may be 0 somewhere in the box, nothing can be proven.
TEST(Robust, a_formula_that_may_divide_by_zero_is_not_stable) {
  const auto model = test::linear_model({0.6, -0.3, -6}, 1.5);
  const Explainer explainer(model, derived_rows(*model, 100), stable_wish(0.3));
  const Matrix row = test::matrix(1, 3, {0.2, 0.5, 0.4});
  const Stability found = Diagnostics(explainer).stability(row, stable_wish(0.3), std::vector<Target>{1})[0];
  EXPECT_FALSE(found.holds);
  EXPECT_EQ(found.margin, -INFINITY);
}

// Two outputs count as one score, their difference.
TEST(Robust, two_outputs_reach_a_probability) {
  const auto model = test::random_network(4, 2, 41, "relu");
  const Training training = test::labelled_by(*model, 200, 42);
  Options options = stable_wish(0.02);
  options.probability = 0.7;
  const Explainer explainer(model, training, options);
  test::Uniform random(9);
  std::size_t found = 0;
  for (const Explanation& e : explainer.explain(first_rows(training.rows, 40), options)) {
    if (!e.found()) continue;
    ++found;
    EXPECT_EQ(e.stability, StabilityProof::bounded);
    for (int i = 0; i < 100; ++i) {
      std::vector<double> x = e.counterfactual;
      for (std::size_t j = 0; j < 4; ++j) x[j] += random(-0.02, 0.02) * range_of(training.rows, j);
      EXPECT_GE(1 / (1 + std::exp(-lead_of(*model, x, e.target))), 0.7 - 1e-6);
    }
  }
  EXPECT_GE(found, 20U);
  const auto three = test::random_network(4, 3, 41, "relu");
  options.target = 1;
  const Explainer several(three, test::labelled_by(*three, 200, 42), stable_wish(0));
  EXPECT_THROW((void)several.explain(first_rows(training.rows, 1), options), Error);
}

}  // namespace
}  // namespace scfe
