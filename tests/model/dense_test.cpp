// Compares dense networks with PyTorch's values, a reference in double, and equivalent networks.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/helper/shared.h"
#include "tests/model/evaluate.h"

namespace scfe::test {
namespace {

using Json = nlohmann::json;

std::vector<Layer> layers_of(const Json& list) {
  std::vector<Layer> layers;
  for (const Json& entry : list) {
    const Rows weight = entry["weight"].get<Rows>();
    Layer layer{Matrix(weight.size(), weight.at(0).size()), entry["bias"], entry["activation"]};
    for (std::size_t o = 0; o < weight.size(); ++o)
      std::copy(weight[o].begin(), weight[o].end(), layer.weight[o].begin());
    layers.push_back(layer);
  }
  return layers;
}

void expect_near(const Rows& got, const Rows& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (std::size_t l = 0; l < got.size(); ++l) {
    ASSERT_EQ(got[l].size(), want[l].size()) << what;
    for (std::size_t j = 0; j < got[l].size(); ++j)
      EXPECT_NEAR(got[l][j], want[l][j], tolerance * (1 + std::abs(want[l][j]))) << what << ", point " << l;
  }
}

TEST(DenseNetwork, matches_pytorch) {
  std::set<kernel::ActivationKind> seen;
  const Json file = read_json(fixture("dense_networks.json"));
  for (const Json& entry : file["cases"]) {
    const std::vector<Layer> layers = layers_of(entry["layers"]);
    seen.insert(
        parse_activation(layers[0].activation == "softmax" ? "none" : layers[0].activation, "test").kind);
    const auto model = dense_network(layers);
    const Evaluated got = evaluate(*model, entry["x"].get<Rows>(), entry["seed"].get<Rows>());
    expect_near(got.scores, entry["logits"].get<Rows>(), 1e-5, entry["name"]);
    expect_near(got.gradient, entry["gradient"].get<Rows>(), 1e-5, entry["name"]);
  }
  EXPECT_EQ(seen.size(), activation_catalogue().size()) << "an activation has no fixture";
}

TEST(DenseNetwork, gradient_matches_central_differences_of_the_oracle) {
  Random random(1);
  for (const ActivationRow& row : activation_catalogue()) {
    const std::string name(row.name);
    const std::vector<Layer> layers = {random_layer(random, 9, 6, name), random_layer(random, 7, 9, name),
                                       random_layer(random, 3, 7, "none")};
    const auto model = dense_network(layers);
    const Rows x = random_rows(random, 20, 6, 2), seed = random_rows(random, 20, 3, 1);
    const Evaluated got = evaluate(*model, x, seed);
    const double h = 1e-6;
    int kinks = 0;
    for (std::size_t l = 0; l < x.size(); ++l)
      for (std::size_t j = 0; j < 6; ++j) {
        const auto weighted = [&](double move) {
          std::vector<double> point = x[l];
          point[j] += move;
          const std::vector<double> scores = oracle_scores(layers, point);
          return seed[l][0] * scores[0] + seed[l][1] * scores[1] + seed[l][2] * scores[2];
        };
        const double want = (weighted(h) - weighted(-h)) / (2 * h);
        const double wider = (weighted(50 * h) - weighted(-50 * h)) / (100 * h);
        if (std::abs(want - wider) > 1e-6)
          ++kinks;
        else
          EXPECT_NEAR(got.gradient[l][j], want, 1e-5 * (1 + std::abs(want))) << name;
      }
    EXPECT_LT(kinks, 6) << name;
  }
}

TEST(DenseNetwork, a_last_sigmoid_or_softmax_is_looked_through) {
  Random random(2);
  for (const std::size_t outputs : {1, 2, 4})
    for (const std::string last : {"sigmoid", "softmax"}) {
      if (outputs == 1 && last == "softmax") continue;
      std::vector<Layer> layers = {random_layer(random, 5, 4, "tanh"),
                                   random_layer(random, outputs, 5, "none")};
      const auto plain = dense_network(layers);
      layers.back().activation = last;
      const auto model = dense_network(layers);
      EXPECT_EQ(model->classes(), outputs == 1 ? 2U : outputs);
      // The points are so far out that a probability would round to 0 or 1 and its gradient to 0.
      const Rows x = random_rows(random, 9, 4, 100), seed(9, std::vector<double>(outputs, 1.0));
      const Evaluated a = evaluate(*plain, x, seed), b = evaluate(*model, x, seed);
      EXPECT_EQ(a.scores, b.scores);
      EXPECT_EQ(a.gradient, b.gradient);
    }
}

TEST(DenseNetwork, layers_without_activation_are_one) {
  Random random(3);
  const std::vector<Layer> layers = {
      random_layer(random, 8, 5, "none"),     random_layer(random, 7, 8, "none"),
      random_layer(random, 6, 7, "softplus"), random_layer(random, 2, 6, "none"),
      random_layer(random, 9, 2, "none"),     random_layer(random, 3, 9, "none")};
  const Rows x = random_rows(random, 30, 5, 2), seed = random_rows(random, 30, 3, 1);
  const Evaluated got = evaluate(*dense_network(layers), x, seed);
  for (std::size_t l = 0; l < x.size(); ++l) {
    const std::vector<double> want = oracle_scores(layers, x[l]);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_NEAR(got.scores[l][k], want[k], 2e-6 * (1 + std::abs(want[k])));
  }
}

// 200 -> 1 -> 200 as one layer would cost a hundred times as much, so the two layers must not be merged.
TEST(DenseNetwork, a_bottleneck_is_kept) {
  Random random(4);
  const std::vector<Layer> layers = {random_layer(random, 1, 200, "none"),
                                     random_layer(random, 200, 1, "relu"),
                                     random_layer(random, 2, 200, "none")};
  const Rows x = random_rows(random, 3, 200, 1), seed(3, {1.0, 0.0});
  const Evaluated got = evaluate(*dense_network(layers), x, seed);
  for (std::size_t l = 0; l < x.size(); ++l)
    EXPECT_NEAR(got.scores[l][0], oracle_scores(layers, x[l])[0], 1e-5);
}

TEST(DenseNetwork, bits_do_not_depend_on_the_batch) {
  Random random(5);
  for (const ActivationRow& row : activation_catalogue()) {
    const std::string name(row.name);
    const auto model = dense_network({random_layer(random, 20, 13, name), random_layer(random, 20, 20, name),
                                      random_layer(random, 3, 20, "none")});
    const Rows x = random_rows(random, 77, 13, 2), seed = random_rows(random, 77, 3, 1);
    const Evaluated whole = evaluate(*model, x, seed, 19);
    for (std::size_t l = 0; l < x.size(); l += 3) {
      const Evaluated alone = evaluate(*model, {x[l]}, {seed[l]});
      EXPECT_EQ(alone.scores[0], whole.scores[l]) << name;
      EXPECT_EQ(alone.gradient[0], whole.gradient[l]) << name;
    }
    const Rows reversed(x.rbegin(), x.rend()), seed_reversed(seed.rbegin(), seed.rend());
    const Evaluated backwards = evaluate(*model, reversed, seed_reversed);
    EXPECT_EQ(backwards.gradient.front(), whole.gradient.back()) << name;
  }
}

TEST(DenseNetwork, a_tape_serves_any_number_of_backwards_and_smaller_blocks) {
  Random random(6);
  const auto model = dense_network({random_layer(random, 6, 4, "gelu"), random_layer(random, 5, 6, "mish"),
                                    random_layer(random, 2, 5, "tanh")});
  const auto tape = model->tape(64);
  Block scores(2, 64), gradient(4, 64);
  for (const std::size_t lanes : {64, 1, 17, 33}) {
    const Rows x = random_rows(random, lanes, 4, 2);
    model->forward(block_of(x, 64), scores, *tape);
    for (int repeat = 0; repeat < 3; ++repeat) {
      const Rows seed = random_rows(random, lanes, 2, 1);
      model->backward(block_of(seed, 64), gradient, *tape);
      const Evaluated fresh = evaluate(*model, x, seed);
      EXPECT_EQ(rows_of(scores), fresh.scores);
      EXPECT_EQ(rows_of(gradient), fresh.gradient);
    }
  }
}

// The reference holds the hinge max(0, -y s) with s = 2 sigmoid(logit) - 1 or the linear score, and its
// gradient with respect to the min-max scaled point; ours follows by the chain rule.
void expect_reference(const std::string& set, const std::string& kind) {
  const auto folder = shared_dir() / "reference";
  const Json file = read_json(folder / (set + '_' + kind + ".json"));
  const Json want = read_json(folder / (set + '_' + kind + "_ref.json"));
  std::vector<Layer> layers;
  for (const Json& entry : file["model"]["layers"]) {
    const Json named = {{"weight", entry["W"]}, {"bias", entry["b"]}, {"activation", "relu"}};
    layers.push_back(layers_of(Json::array({named}))[0]);
  }
  layers.back().activation = kind == "mlp" ? "sigmoid" : "none";
  const Rows x = want["x"].get<Rows>(), hinge_gradient = want["hinge_grad_minmax"].get<Rows>();
  const Evaluated got = evaluate(*dense_network(layers), x, Rows(x.size(), {1.0}));
  const auto numbers = [](const Json& list) { return list.get<std::vector<double>>(); };
  const auto logits = numbers(want["logit"]), target = numbers(want["target"]),
             hinge = numbers(want["hinge"]);
  const auto mins = numbers(file["mins"]), maxs = numbers(file["maxs"]);
  for (std::size_t l = 0; l < x.size(); ++l) {
    EXPECT_NEAR(got.scores[l][0], logits[l], 1e-4);
    const double p = 1 / (1 + std::exp(-logits[l]));
    const double slope = hinge[l] == 0 ? 0 : -target[l] * (kind == "mlp" ? 2 * p * (1 - p) : 1);
    for (std::size_t j = 0; j < mins.size(); ++j) {
      const double gradient = slope * got.gradient[l][j] * (maxs[j] - mins[j]);
      EXPECT_NEAR(gradient, hinge_gradient[l][j], 1e-4 * (1 + std::abs(gradient))) << "point " << l;
    }
  }
}

TEST(DenseNetwork, matches_the_reference_logits_and_gradients) {
  SCFE_NEEDS_SHARED("reference/wine_mlp.json");
  for (const std::string set : {"wine", "housing", "wdbc"})
    for (const std::string kind : {"mlp", "linear"}) {
      SCOPED_TRACE(set);
      SCOPED_TRACE(kind);
      expect_reference(set, kind);
    }
}

}  // namespace
}  // namespace scfe::test
