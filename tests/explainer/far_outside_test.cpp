// Rows far outside the range of the training rows.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/bundle.h"
#include "support/random.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::labelled_by;
using test::random_network;

// Every search handles them: with categories, with trees, for several answers, a path and hints.
TEST(FarOutside, is_no_trouble_to_any_search) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  int found = 0, changes = 0;
  for (const bool stepped : {false, true})
    for (const auto& model : {random_network(trees->features(), 1, 61), trees}) {
      Training training = labelled_by(*model, 150, 62);
      training.features.resize(model->features());
      if (stepped) training.features[1].step = 0.5;
      Matrix factuals(3, model->features());
      for (std::size_t j = 0; j < factuals.cols; ++j) {
        factuals[0][j] = j == 0 ? 1e6 : training.rows[0][j];
        factuals[1][j] = j == 1 ? -1e9 : training.rows[1][j];
        factuals[2][j] = 1e5;
      }
      for (const auto& [name, text] : {std::pair("answers", "2"), {"path", "true"}, {"robust", "0.01"}}) {
        Options options;
        set_option(options, name, text);
        const Explainer explainer(model, training, options);
        for (const auto& list : explainer.explain_all(factuals, options))
          for (const Explanation& e : list) {
            EXPECT_TRUE(std::isfinite(e.margin) && std::isfinite(e.l2)) << name;
            EXPECT_TRUE(e.found() || !e.reason().empty()) << name;
            found += e.found();
            if (e.found()) EXPECT_GT(e.probability, 0.5);
            for (const FeatureChange& change : e.changes) {
              ++changes;
              const Feature& f = explainer.features()[change.feature];
              EXPECT_GE(change.to, std::min(*f.min, change.from));
              EXPECT_LE(change.to, std::max(*f.max, change.from));
            }
          }
      }
    }
  EXPECT_GE(found, 24);
  EXPECT_GE(changes, 24);
}

// Imitates another runtime: the same network in single precision, with every sum in reverse order.
float backwards(const Model& model, std::span<const double> row) {
  std::vector<float> x(row.begin(), row.end());
  for (const Layer& layer : model.layers()) {
    std::vector<float> y(layer.weight.rows);
    for (std::size_t o = 0; o < y.size(); ++o) {
      float sum = 0;
      for (std::size_t i = x.size(); i-- > 0;) sum += static_cast<float>(layer.weight[o][i]) * x[i];
      y[o] = sum + static_cast<float>(layer.bias[o]);
      if (layer.activation == "relu") y[o] = std::max(0.0F, y[o]);
    }
    x = std::move(y);
  }
  return x[0];
}

TEST(FarOutside, answers_hold_in_whichever_order_sums_are_taken) {
  Random random(63);
  int answered = 0;
  for (std::uint64_t seed = 64; seed < 68; ++seed) {
    const auto model = random_network(8, 1, seed);
    const Training training = labelled_by(*model, 150, seed);
    for (const Method method : {Method::scfe, Method::mip_live, Method::nearest}) {
      Options options;
      options.method = method;
      options.hints = false;
      const Explainer explainer(model, training, options);
      for (const double scale : {1e2, 1e4, 1e6}) {
        Matrix factuals(20, 8);
        for (double& x : factuals.values) x = scale * (2 * random.uniform() - 1);
        for (const Explanation& e : explainer.explain(factuals, options)) {
          if (!e.found()) continue;
          ++answered;
          EXPECT_EQ(backwards(*model, e.counterfactual) > 0, e.target == 1)
              << name_of(method) << ' ' << scale;
        }
      }
    }
  }
  EXPECT_GT(answered, 200);
}

}  // namespace
}  // namespace scfe
