// Compares operators of ai.onnx.ml with ONNX Runtime (fixtures made by experiments/fixtures/onnx_ml.py): the
// labels that follow from the classifiers' scores, and the gradients of these scores.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/model/onnx/fixtures.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Rows;

struct LabelCase {
  std::string name;
  std::shared_ptr<const Model> model;
  OnnxInfo info;
  Rows rows;
  std::vector<int> labels;
};

std::vector<LabelCase> label_cases() {
  std::vector<LabelCase> cases;
  for (const auto& json : test::json_lines("onnx/ml.jsonl")) {
    if (!json.contains("labels")) continue;
    const auto bytes = test::from_hex(json["model"]);
    const auto values = test::floats_from_hex(json["rows"]);
    LabelCase one{json["name"], read_onnx(bytes), inspect_onnx(bytes), {}, json["labels"]};
    const auto width = static_cast<std::ptrdiff_t>(one.model->features());
    for (auto from = values.begin(); from != values.end(); from += width)
      one.rows.emplace_back(from, from + width);
    cases.push_back(std::move(one));
  }
  return cases;
}

TEST(OnnxMl, scores_decide_as_onnx_runtime) {
  const auto cases = label_cases();
  EXPECT_GE(cases.size(), 30U);
  for (const LabelCase& one : cases) {
    const Rows scores = test::run_model(*one.model, one.rows).scores;
    for (std::size_t r = 0; r < scores.size(); ++r) {
      const std::vector<float>& z = scores[r];
      const auto best = z.size() == 1 ? static_cast<std::ptrdiff_t>(z[0] > 0)
                                      : std::max_element(z.begin(), z.end()) - z.begin();
      EXPECT_EQ(one.info.classes.at(static_cast<std::size_t>(best)), std::to_string(one.labels[r]))
          << one.name << " row " << r;
    }
  }
}

// Central differences along a direction; in a few rows a kink may lie between the two points.
TEST(OnnxMl, scores_of_differentiable_classifiers_have_their_gradient) {
  for (const LabelCase& one : label_cases()) {
    if (!one.info.differentiable) continue;
    const float step = 2e-3F;
    std::vector<float> direction(one.model->features()), seed(one.model->scores());
    for (std::size_t i = 0; i < direction.size(); ++i) direction[i] = std::cos(static_cast<float>(5 * i) + 2);
    for (std::size_t k = 0; k < seed.size(); ++k) seed[k] = std::sin(static_cast<float>(3 * k) + 1);
    Rows up = one.rows, down = one.rows;
    for (std::size_t r = 0; r < up.size(); ++r)
      for (std::size_t i = 0; i < direction.size(); ++i)
        up[r][i] += step * direction[i], down[r][i] -= step * direction[i];
    const Rows above = test::run_model(*one.model, up).scores,
               below = test::run_model(*one.model, down).scores;
    const Rows gradient = test::run_model(*one.model, one.rows, Rows(up.size(), seed)).gradient;
    std::size_t good = 0;
    for (std::size_t r = 0; r < up.size(); ++r) {
      double slope = 0, expected = 0;
      for (std::size_t i = 0; i < direction.size(); ++i)
        slope += static_cast<double>(gradient[r][i]) * direction[i];
      for (std::size_t k = 0; k < seed.size(); ++k)
        expected += (static_cast<double>(above[r][k]) - below[r][k]) * seed[k] / (2.0 * step);
      good += std::abs(slope - expected) <= 1e-2 * std::max(1.0, std::abs(expected)) ? 1 : 0;
    }
    EXPECT_GE(good, up.size() - 2) << one.name;
  }
}

// Weights that are stored as attributes count as parameters too.
TEST(OnnxMl, parameters_are_counted) {
  std::map<std::string, std::size_t> parameters;
  for (const test::NodeCase& node : test::node_cases())
    parameters[node.name] = inspect_onnx(node.model, node.options).parameters;
  EXPECT_EQ(parameters.at("LinearClassifier NONE"), 15U);            // 3 classes x 4 features, 3 intercepts
  EXPECT_EQ(parameters.at("SVMRegressor RBF"), 6U * 4 + 6 + 1 + 3);  // vectors, coefficients, rho, kernel
  EXPECT_EQ(parameters.at("TreeEnsembleClassifier NONE"), 8U + 15);  // thresholds, weights of leaves
}

}  // namespace
}  // namespace scfe
