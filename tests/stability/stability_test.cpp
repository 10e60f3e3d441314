// --robust: answers stay valid in the box around them; how that is shown; and the check of written answers.
#include <gtest/gtest.h>

#include "model/network/bounds.h"
#include "model/trees/ensemble.h"
#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::first_rows;
using test::labelled_by;
using test::random_network;

// Robust answers keep the class at every sampled point of their box.
TEST(Robust, answers_hold_all_around) {
  std::vector<std::shared_ptr<const Model>> models = {
      dense_network({{test::matrix(1, 4, {1, -2, 0.5, 1.5}), {-0.3}, "none"}}),
      random_network(4, 1, 31, "relu"), random_network(4, 3, 33, "tanh")};
  for (const auto& model : models) {
    const Training training = labelled_by(*model, 200, 32);
    Options options;
    options.density = DensityKind::none;
    options.robust = 0.03;
    options.target = model->classes() == 2 ? Target::other() : Target(1);
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
      EXPECT_NE(e.stability == StabilityProof::sampled, model->layers().size() >= 1);
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

// The bound for ReLU networks is below every sample, and not far below.
TEST(Robust, bounds_are_sound_and_close) {
  for (const char* activation : {"relu", "tanh", "leaky_relu(0.2)"}) {
    test::Uniform random(5);
    double gaps = 0;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Layer> layers;
      for (const auto& [out, in] : {std::pair<std::size_t, std::size_t>(12, 5), {12, 12}, {1, 12}})
        layers.push_back({test::random_matrix(out, in, random), std::vector<double>(out, 0.1),
                          out == 1 ? "none" : activation});
      const auto model = dense_network(layers);
      InputBox box{{}, {}};
      for (int i = 0; i < 5; ++i) {
        const double centre = random(-1, 1);
        box.lo.push_back(centre - 0.02);
        box.hi.push_back(centre + 0.02);
      }
      const double bound = NetworkBounds(model->layers(), box).least(std::vector<double>{1});
      Block x(5, 512), z(1, 512);
      for (std::size_t j = 0; j < 5; ++j)
        for (std::size_t lane = 0; lane < 512; ++lane)
          x[j][lane] = static_cast<float>(lane % 2 == 0 ? random(box.lo[j], box.hi[j])
                                                        : (random(0, 1) < 0.5 ? box.lo[j] : box.hi[j]));
      const auto tape = model->tape(512);
      model->forward(x, z, *tape);
      const auto [least, most] = std::minmax_element(z[0], z[0] + 512);
      EXPECT_LE(bound, static_cast<double>(*least) + 1e-5) << activation;
      gaps += (static_cast<double>(*least) - bound) / static_cast<double>(*most - *least) / 20;
    }
    if (std::string(activation) == "relu") EXPECT_LT(gaps, 0.5);
  }
}

// A bound includes the rounding errors of single precision.
TEST(Robust, bounds_count_rounding) {
  for (const char* activation : {"none", "relu", "tanh", "selu"}) {
    test::Uniform random(6);
    double rounding = 0, error = 0;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<Layer> layers;
      for (const auto& [out, in] : {std::pair<std::size_t, std::size_t>(12, 5), {1, 12}}) {
        layers.push_back({test::random_matrix(out, in, random), std::vector<double>(out, 0.1),
                          out == 1 ? "none" : activation});
        for (double& weight : layers.back().weight.values) weight *= 1000;
      }
      const auto model = dense_network(layers);
      InputBox point;
      Block x(5, 1), z(1, 1);
      for (std::size_t j = 0; j < 5; ++j) {
        point.lo.push_back(random(-1, 1));
        x[j][0] = static_cast<float>(point.lo.back());
      }
      point.hi = point.lo;
      const auto tape = model->tape(1);
      model->forward(x, z, *tape);
      NetworkBounds bounds(model->layers(), point);
      const std::vector<double> one = {1};
      const double least = bounds.least(one), doubt = bounds.rounding(one);
      EXPECT_LE(least - doubt, static_cast<double>(z[0][0])) << activation;
      rounding += doubt;
      error = std::max(error, least - static_cast<double>(z[0][0]));
    }
    EXPECT_GT(error, 0) << activation;  // without the allowance some bound would be wrong
    EXPECT_GT(rounding, 0);
  }
}

// A slope above 1 amplifies earlier rounding errors by that factor.
TEST(Robust, rounding_grows_with_the_slope_of_an_activation) {
  const auto doubt = [](const std::string& activation) {
    const std::vector<Layer> layers = {{test::matrix(1, 1, {1}), {0}, activation},
                                       {test::matrix(1, 1, {1}), {0}, "none"}};
    const auto model = dense_network(layers);
    return NetworkBounds(model->layers(), {{-1000}, {-1000}}).rounding(std::vector<double>{1});
  };
  for (const char* name : {"leaky_relu", "elu"})
    EXPECT_GT(doubt(name + std::string("(100)")), 20 * doubt(name + std::string("(1)"))) << name;
  EXPECT_LT(doubt("relu6(100)"), 2 * doubt("relu6(1)"));
}

// The class stays the same all the way back by `room`; for trees, one step more changes it.
TEST(Robust, room_is_free_of_holes) {
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  std::size_t checked = 0;
  for (const auto& model : {trees, random_network(trees->features(), 1, 37, "tanh")}) {
    const Training training = labelled_by(*model, 200, 38);
    Options options;
    options.density = DensityKind::none;
    options.robust = 0.005;
    options.hints = false;
    const Explainer explainer(model, training, options);
    for (const Explanation& e : explainer.explain(first_rows(training.rows, 40), options)) {
      if (!e.found()) continue;
      for (const FeatureChange& change : e.changes) {
        const double way = std::abs(change.to - change.from);
        Matrix along(200, model->features());
        for (std::size_t i = 0; i < along.rows; ++i) {
          std::copy(e.counterfactual.begin(), e.counterfactual.end(), along[i].begin());
          const double share = static_cast<double>(i) / 200 * change.room / way;
          along[i][change.feature] += share * (change.from - change.to);
        }
        for (const int winner : explainer.predict(along)) EXPECT_EQ(winner, e.target);
        ++checked;
      }
    }
  }
  EXPECT_GE(checked, 40U);
}

// Valid only from 0.4 to 0.6: if nothing is stable enough, the reason says so, also for trees.
TEST(Robust, is_the_reason_where_nothing_is_stable) {
  Ensemble band;
  band.inputs = 1;
  band.base = {0};
  band.values = {{0, -1}, {0, 1}};
  band.nodes.resize(5);
  for (const auto& [leaf, value] : {std::pair<std::size_t, std::uint32_t>(2, 0), {3, 1}, {4, 0}}) {
    band.nodes[leaf].first = value;
    band.nodes[leaf].last = value + 1;
  }
  set_branch(band, 0, {.input = 0, .threshold = 0.4, .yes = 2, .no = 1});
  set_branch(band, 1, {.input = 0, .threshold = 0.6, .yes = 3, .no = 4});
  band.roots = {0};
  const auto model = ensemble_model(band, "band");
  Training training{Matrix(11, 1), {}, {{.name = "x", .step = 0.01}}};
  for (std::size_t i = 0; i < 11; ++i) {
    training.rows[i][0] = static_cast<double>(i) / 10;
    training.labels.push_back(i == 5 || i == 6);
  }
  Options options;
  options.density = DensityKind::none;
  options.robust = 0.05;
  options.hints = false;
  options.target = 1;
  const Explainer explainer(model, training, options);
  const Matrix row = test::matrix(1, 1, {0});
  EXPECT_EQ(explainer.explain(row, options)[0].status, Status::valid);
  options.robust = 0.2;
  const Explanation e = explainer.explain(row, options)[0];
  EXPECT_EQ(e.status, Status::not_found);
  EXPECT_NE(e.reason().find("no answer was found that stays valid within 20 % of the ranges (exact)"),
            std::string::npos)
      << e.reason();
}

// Questions that the exact solver of linear scores cannot answer are rejected before any row is read. Without
// a floor the density only tells how typical the proven answer is.
TEST(Robust, linear_answers_are_proven_beside_a_density) {
  const auto model = test::linear_model({1, -1, 0.5}, 0.1);
  const Training training = labelled_by(*model, 60, 3);
  Options plain;
  plain.plausible = 0;
  const Explainer dense(model, training);
  const auto typical = dense.explain(training.rows, plain);
  plain.density = DensityKind::none;
  const auto bare = dense.explain(training.rows, plain);
  int below = 0;
  for (std::size_t i = 0; i < typical.size(); ++i) {
    EXPECT_TRUE(typical[i].proven()) << i;
    EXPECT_EQ(typical[i].counterfactual, bare[i].counterfactual) << i;
    below += typical[i].quantile < 1;
  }
  EXPECT_GT(below, 10);
}

TEST(Robust, exact_linear_answers_are_refused_at_once) {
  const auto model = test::linear_model({1, -1, 0.5}, 0.1);
  const Training training = labelled_by(*model, 60, 3);
  Options plain;
  plain.density = DensityKind::none;
  plain.solver = Solver::exact;
  const Explainer explainer(model, training, plain), dense(model, training);
  const Matrix none(0, 3);
  EXPECT_NO_THROW(explainer.explain(none, plain));
  Options several = plain, robust = plain, kde = plain;
  several.answers = 2;
  robust.robust = 0.1;
  kde.density = DensityKind::automatic;
  const auto refusal = [&](const Explainer& asked, const Options& options) -> std::string {
    try {
      (void)asked.explain(none, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(explainer, several).find("several answers"), std::string::npos);
  EXPECT_NE(refusal(explainer, robust).find("robust answers"), std::string::npos);
  EXPECT_NE(refusal(dense, kde).find("a floor"), std::string::npos);
  kde.plausible = 0;
  EXPECT_EQ(refusal(dense, kde), "");
  EXPECT_EQ(refusal(explainer.with_rules({"x0 <= x1"}), plain),
            "");  // rows that keep the rules are still proven
}

// With an ONNX network: robust answers are stable, and most others are not.
TEST(Robust, written_answers_are_judged) {
  const test::Credit credit(30);
  Options options = credit.explainer.options();
  options.hints = false;
  options.plausible = 0;
  const auto judge = [&](const std::vector<Explanation>& answers, std::size_t& asked) {
    Options query = options;
    query.robust = 0.02;
    std::size_t stable = 0;
    for (const Explanation& e : answers) {
      if (!e.found() || e.changes.empty()) continue;
      const Stability found =
          Diagnostics(credit.explainer)
              .stability(test::one_row(e.counterfactual), query, std::vector<Target>{e.target})[0];
      EXPECT_EQ(found.proof, StabilityProof::bounded);
      stable += found.holds;
      ++asked;
    }
    return stable;
  };
  std::size_t plain = 0, robust = 0;
  const std::size_t unasked = judge(credit.explainer.explain(credit.factuals, options), plain);
  EXPECT_LT(unasked, 3 * plain / 4);
  Options wish = options;
  wish.robust = 0.02;
  EXPECT_EQ(judge(credit.explainer.explain(credit.factuals, wish), robust), robust);
  EXPECT_GE(plain, 25U);
  EXPECT_GE(robust, 20U);
}

}  // namespace
}  // namespace scfe
