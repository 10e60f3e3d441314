// What is minimised (options.distance, options.weights), through the public interface: on German Credit, with
// categories, whole numbers and a network.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe {
namespace {

std::string data_file(const std::string& name) { return SCFE_SOURCE_DIR "/data/" + name; }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

// German Credit. Some features have weights, and one category has distances of its own.
struct Credit {
  Schema schema;
  Encoded rows;
  std::shared_ptr<const Model> model;
  Matrix refused;

  Credit() : schema(read_schema(data_file("german_credit.schema.json"))) {
    for (std::size_t f = 0; f < schema.columns.size(); ++f) {
      Feature& feature = schema.columns[f].feature;
      feature.weight = 1 + 0.5 * static_cast<double>(f % 3);
      const std::size_t levels = feature.is_category() ? feature.level_count() : 0;
      if (feature.name != "checking_account") continue;
      feature.distances.assign(levels, std::vector<double>(levels));
      for (std::size_t a = 0; a < levels; ++a)
        for (std::size_t b = 0; b < levels; ++b)
          feature.distances[a][b] = a == b ? 0 : 0.3 + 0.1 * static_cast<double>(a + 2 * b);
    }
    rows = Encoder(schema).encode_labelled(read_csv(data_file("german_credit.csv")));
    model = open_model(read_model_file(data_file("models/german_credit.onnx")));
    refused = Matrix(0, rows.inputs.cols);
    const std::vector<int> predicted = explainer({}).predict(rows.inputs);
    for (std::size_t i = 0; i < predicted.size() && refused.rows < 40; ++i) {
      if (predicted[i] == 1) continue;
      refused.values.insert(refused.values.end(), rows.inputs[i].begin(), rows.inputs[i].end());
      ++refused.rows;
    }
  }

  Explainer explainer(Options options) const {
    options.density = DensityKind::none;
    return {model, {rows.inputs, rows.labels, Encoder(schema).features()}, options};
  }

  // The definitions of docs/concepts.md, once more.
  double distance(const Options& options, const Explanation& e) const {
    const bool gower = options.distance == Distance::gower;
    double sum = 0, weights = 0;
    for (const Column& column : schema.columns)
      weights += options.weights == Weighting::none ? 1 : column.feature.weight;
    for (const FeatureChange& change : e.changes) {
      const Feature& feature = schema.columns[change.feature].feature;
      const bool listed = options.weights != Weighting::none && !feature.distances.empty();
      double weight = options.weights == Weighting::none ? 1 : feature.weight, length = 0;
      if (feature.is_category()) {
        length = listed ? feature.distances[static_cast<std::size_t>(change.from)]
                                           [static_cast<std::size_t>(change.to)]
                 : gower ? 1
                         : std::sqrt(0.5);
      } else {
        const std::vector<double> values = column_of(change.feature);
        const auto [lo, hi] = std::ranges::minmax(values);
        length = std::abs(change.to - change.from) / (hi - lo);
        if (options.weights == Weighting::mad) weight /= mad(values) / (hi - lo);
      }
      sum += weight * length;
    }
    return gower ? sum / weights : sum;
  }

  std::vector<double> column_of(std::size_t feature) const {
    std::size_t input = 0;
    for (std::size_t f = 0; f < feature; ++f) input += schema.columns[f].feature.width();
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.inputs.rows; ++i) values.push_back(rows.inputs[i][input]);
    return values;
  }

  static double mad(std::vector<double> values) {
    const double middle = median(values);
    for (double& x : values) x = std::abs(x - middle);
    const double of_them = median(values);
    return of_them > 0
               ? of_them
               : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
};

std::vector<Options> measures() {
  std::vector<Options> all;
  for (const Distance distance : {Distance::l1, Distance::gower})
    for (const Weighting weights : {Weighting::schema, Weighting::mad, Weighting::none}) {
      if (distance == Distance::gower && weights == Weighting::mad) continue;
      Options& options = all.emplace_back();
      options.distance = distance;
      options.weights = weights;
      options.max_changes = 3;
      options.target = 1;
    }
  return all;
}

TEST(Distance, is_the_formula_and_no_larger_than_where_squares_are_minimised) {
  const Credit credit;
  for (const Options& asked : measures())
    for (const Solver solver : {Solver::automatic, Solver::search, Solver::apg}) {
      Options options = asked, squares = asked;
      options.solver = squares.solver = solver;
      options.fewest_first = squares.fewest_first = false;
      options.iterations = squares.iterations = 60;
      squares.distance = Distance::l2;
      const std::vector<Explanation> ours = credit.explainer(options).explain(credit.refused, options),
                                     others = credit.explainer(squares).explain(credit.refused, squares);
      const Explainer measured = credit.explainer(options);
      double mean = 0, mean_of_others = 0;
      int both = 0;
      for (std::size_t i = 0; i < ours.size(); ++i) {
        if (ours[i].status != Status::valid || others[i].status != Status::valid) continue;
        const double distance = credit.distance(options, ours[i]);
        EXPECT_NEAR(ours[i].distance, distance, 1e-9 * distance);
        EXPECT_EQ(ours[i].metric, options.distance);
        EXPECT_NEAR(Diagnostics(measured).change(credit.refused[i], ours[i].counterfactual).distance,
                    distance, 1e-9 * distance);
        EXPECT_EQ(others[i].distance, others[i].l2);
        mean += distance;
        mean_of_others += credit.distance(options, others[i]);
        ++both;
      }
      EXPECT_GT(both, 20) << name_of(solver);
      EXPECT_LE(mean, mean_of_others * (solver == Solver::apg ? 1.05 : 1))
          << name_of(options.distance) << " " << name_of(options.weights) << " " << name_of(solver);
    }
}

// Several answers, paths and hints compare by the same distance.
TEST(Distance, orders_further_answers_and_paths) {
  const Credit credit;
  int lists = 0, paths = 0;
  for (Options options : measures()) {
    const Explainer explainer = credit.explainer(options);
    options.answers = 3;
    for (const std::vector<Explanation>& list : explainer.explain_all(credit.refused, options)) {
      for (std::size_t k = 2; k < list.size(); ++k) EXPECT_GE(list[k].distance, list[k - 1].distance);
      lists += list.size() > 2;
    }
    options.answers = 1;
    options.path = true;
    for (const std::vector<Explanation>& list : explainer.explain_all(credit.refused, options)) {
      for (std::size_t k = 1; k < list.size(); ++k) EXPECT_LT(list[k].distance, list[k - 1].distance);
      paths += list.size() > 1;
    }
  }
  EXPECT_GT(lists, 30);
  EXPECT_GT(paths, 30);
}

TEST(Distance, mad_is_squares_with_the_weights_mad) {
  const Credit credit;
  Options name, weights;
  name.distance = Distance::mad;
  weights.weights = Weighting::mad;
  name.target = weights.target = 1;
  const auto a = credit.explainer(name).explain(credit.refused, name),
             b = credit.explainer(weights).explain(credit.refused, weights);
  int answers = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].counterfactual, b[i].counterfactual);
    answers += a[i].found();
  }
  EXPECT_GT(answers, 20);
}

TEST(Distance, what_does_not_go_together_is_an_error) {
  const Credit credit;
  Options options;
  options.distance = Distance::gower;
  options.weights = Weighting::mad;
  EXPECT_THROW(credit.explainer(options), Error);
  options.distance = Distance::mad;
  options.weights = Weighting::none;
  EXPECT_THROW(credit.explainer(options), Error);
  options.distance = Distance::l1;
  const Explainer explainer = credit.explainer(options);
  int refused = 0;
  for (const NamedValue<Method>& method : choices_of<Method>) {
    if (method.value == Method::scfe || method.value == Method::nearest) continue;
    options.method = method.value;
    try {
      (void)explainer.explain(credit.refused, options);
      ADD_FAILURE() << method.name;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("distance: ")) << error.what();
    }
    ++refused;
  }
  EXPECT_GE(refused, 6);
  options.method = Method::nearest;
  EXPECT_TRUE(explainer.explain(credit.refused, options)[0].found());
}

}  // namespace
}  // namespace scfe
