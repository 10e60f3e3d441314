#include "solver/apg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "objective.h"
#include "scfe/error.h"
#include "tests/helper/allocations.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

constexpr std::size_t d = 5;

// Linear score over the unit box: without density the optimum is known in closed form.
struct World {
  explicit World(std::size_t lanes, double tau = 0, bool watch = false)
      : model(test::matrix(1, d, slope), Matrix(1, d), {-4}),
        scaling(no_scaling(d)),
        validity(1, {.target = 1, .margin = 1e-3, .probability = {}}),
        density(test::matrix(1, d, {0.9, 0.1, 0.9, 0.1, 0.9})),
        terms({model, scaling, validity, density}, lanes),
        objective(terms, weights(tau, watch)),
        box{Block(d, lanes), Block(d, lanes)} {
    objective.set_lanes(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) place(lane, lane);
  }

  static Weights weights(double tau, bool watch) {
    Weights weights;
    weights.tau = tau;
    weights.watch_density = watch;
    return weights;
  }

  static std::vector<float> factual(std::size_t row) {
    Uniform uniform(100 + row);
    std::vector<float> x;
    for (std::size_t j = 0; j < d; ++j) x.push_back(static_cast<float>(uniform(0, 0.5)));
    return x;
  }
  void place(std::size_t lane, std::size_t row) {
    const auto x = factual(row);
    objective.set_factual(lane, x);
    for (std::size_t j = 0; j < d; ++j) {
      box.lo[j][lane] = -x[j];
      box.hi[j][lane] = 1 - x[j];
    }
  }
  double score(const std::vector<float>& x) const {
    return std::inner_product(x.begin(), x.end(), slope.begin(), -4.0);
  }
  ApgProblem problem(const Prox& prox, std::span<const float> floor = {}) {
    return {objective, prox, box, floor};
  }

  std::vector<double> slope{1, -2, 3, 4, 0.5};
  test::QuadraticModel model;
  Scaling scaling;
  Validity validity;
  test::GravityDensity density;
  Terms terms;
  Objective objective;
  Box box;
};

std::vector<float> answer(const Apg& apg, std::size_t lane) {
  std::vector<float> w;
  for (std::size_t j = 0; j < d; ++j) w.push_back(apg.best().w()[j][lane]);
  return w;
}

// min |w|² with slope·w = need, one feature at most: the cheapest feature that can do it.
double cheapest_single(const World& world, const std::vector<float>& x, double need) {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < d; ++j) {
    const double w = need / world.slope[j];
    if (x[j] + w >= 0 && x[j] + w <= 1) best = std::fmin(best, w * w);
  }
  return best;
}

TEST(Apg, finds_the_projection_onto_the_boundary) {
  World world(20);
  const auto prox = make_prox("none", {});
  Apg apg(d, 20, {});
  ASSERT_TRUE(apg.solve(world.problem(*prox)));
  for (std::size_t lane = 0; lane < 20; ++lane) {
    const double need = 1e-3 - world.score(World::factual(lane));
    ASSERT_GT(need, 0);
    ASSERT_TRUE(apg.best()[lane].valid);
    EXPECT_GE(apg.best()[lane].margin, 0);
    // The halfspace alone, without the box, is a lower bound.
    EXPECT_GE(apg.best()[lane].cost, need * need / 30.25 * 0.999);
    if (lane < 3) {
      EXPECT_LE(apg.best()[lane].cost, need * need / 30.25 * 1.3);
    }
  }
}

TEST(Apg, with_one_change_allowed_takes_the_cheapest_feature) {
  World world(20);
  const auto prox = make_prox("top_m", {.beta = 0, .max_changes = 1, .group = {}});
  Apg apg(d, 20, {});
  apg.solve(world.problem(*prox));
  for (std::size_t lane = 0; lane < 20; ++lane) {
    const auto x = World::factual(lane);
    const double optimum = cheapest_single(world, x, 1e-3 - world.score(x));
    const auto w = answer(apg, lane);
    EXPECT_EQ(apg.best()[lane].valid, std::isfinite(optimum));
    if (!std::isfinite(optimum)) continue;
    EXPECT_EQ(std::count_if(w.begin(), w.end(), [](float move) { return move != 0; }), 1);
    EXPECT_NEAR(apg.best()[lane].cost, optimum, 0.02 * optimum) << lane;
  }
}

TEST(Apg, an_answer_out_of_reach_is_none) {
  World world(3);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t lane = 0; lane < 3; ++lane) world.box.lo[j][lane] = world.box.hi[j][lane] = 0;
  const auto prox = make_prox("none", {});
  Apg apg(d, 3, {});
  EXPECT_TRUE(apg.solve(world.problem(*prox)));
  for (std::size_t lane = 0; lane < 3; ++lane) EXPECT_FALSE(apg.best()[lane].valid);
}

TEST(Apg, a_factual_that_is_valid_already_stays) {
  World world(1);
  const std::vector<float> x{0.5F, 0, 1, 1, 1};
  world.objective.set_factual(0, x);
  const auto prox = make_prox("l1", {.beta = 0.1, .max_changes = 0, .group = {}});
  Apg apg(d, 1, {});
  apg.solve(world.problem(*prox));
  EXPECT_TRUE(apg.best()[0].valid);
  EXPECT_EQ(apg.best()[0].cost, 0);
  EXPECT_EQ(answer(apg, 0), std::vector<float>(d, 0.0F));
}

// Algorithm 1 written down once more, in double, for one row.
std::vector<std::vector<double>> naive_trace(const World& world, const std::vector<float>& x, double gamma,
                                             double tau, int iterations) {
  const double anchor[d] = {0.9, 0.1, 0.9, 0.1, 0.9}, beta = 0.05;
  std::vector<double> w(d, 0), z(d, 0);
  std::vector<std::vector<double>> trace;
  double sigma = 0.1, t = 1;
  for (int k = 0; k < iterations; ++k) {
    sigma *= std::sqrt(1 - static_cast<double>(k) / iterations);
    double score = -4;
    for (std::size_t j = 0; j < d; ++j) score += world.slope[j] * (x[j] + z[j]);
    const double next_t = (1 + std::sqrt(1 + 4 * t * t)) / 2, alpha = (t - 1) / next_t;
    t = next_t;
    const std::vector<double> before = w, at = z;
    for (std::size_t j = 0; j < d; ++j) {
      const double grad =
          2 * at[j] - (score < 1e-3 ? gamma * world.slope[j] : 0) + 2 * tau * (x[j] + at[j] - anchor[j]);
      const double v = at[j] - sigma * grad,
                   soft = std::copysign(std::fmax(std::fabs(v) - beta * sigma, 0), v);
      w[j] = std::fmin(std::fmax(soft, -x[j]), 1 - x[j]);
      z[j] = w[j] + alpha * (w[j] - before[j]);
    }
    trace.push_back(w);
  }
  return trace;
}

TEST(Apg, the_paper_rule_follows_algorithm_1_written_naively) {
  constexpr double tau = 0.4, gamma = 0.5;
  World world(17, tau);
  const auto prox = make_prox("l1", {.beta = 0.05, .max_changes = 0, .group = {}});
  ApgOptions options{.iterations = 60, .sections = 1, .gamma = gamma, .step = 0.1};
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  options.tolerance = 0;
  Apg apg(d, 17, options);
  std::vector<std::vector<std::vector<double>>> oracle;
  for (std::size_t lane = 0; lane < 17; ++lane)
    oracle.push_back(naive_trace(world, World::factual(lane), gamma, tau, 60));
  int seen = 0;
  apg.solve(world.problem(*prox), {.observe =
                                       [&](const ApgIteration& it) {
                                         EXPECT_EQ(it.iteration, seen++);
                                         for (std::size_t lane = 0; lane < 17; ++lane)
                                           for (std::size_t j = 0; j < d; ++j)
                                             EXPECT_NEAR(it.w[j][lane], oracle[lane][it.iteration][j], 1e-4);
                                       },
                                   .should_stop = {}});
  EXPECT_EQ(seen, 60);
}

TEST(Apg, counts_what_it_asks) {
  const auto prox = make_prox("none", {});
  const auto counted = [&](StepRule rule, Keep keep) {
    World world(2);
    ApgOptions options{.iterations = 30, .sections = 4};
    options.rule = rule;
    options.keep = keep;
    options.tolerance = 0;
    Apg apg(d, 2, options);
    apg.solve(world.problem(*prox));
    return apg.count(1);
  };
  EXPECT_EQ(counted(StepRule::paper, Keep::last).gradients, 120);
  EXPECT_EQ(counted(StepRule::paper, Keep::last).values, 4);
  EXPECT_EQ(counted(StepRule::paper, Keep::best).values, 124);
  EXPECT_EQ(counted(StepRule::backtracking, Keep::last).gradients, 120);
  EXPECT_EQ(counted(StepRule::backtracking, Keep::last).values, 124);
}

TEST(Apg, resting_saves_gradients_and_changes_little) {
  const auto prox = make_prox("none", {});
  World world(8, 0.5);
  ApgOptions options;
  Apg resting(d, 8, options);
  options.tolerance = 0;
  Apg tireless(d, 8, options);
  resting.solve(world.problem(*prox));
  tireless.solve(world.problem(*prox));
  for (std::size_t lane = 0; lane < 8; ++lane) {
    EXPECT_LT(resting.count(lane).gradients, tireless.count(lane).gradients);
    EXPECT_NEAR(resting.best()[lane].cost, tireless.best()[lane].cost, 1e-4);
  }
}

TEST(Apg, keeping_the_last_takes_the_nearest_valid_last_iterate) {
  const auto prox = make_prox("none", {});
  World world(6);
  ApgOptions options{.iterations = 50, .sections = 6};
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  options.tolerance = 0;
  Apg apg(d, 6, options);
  std::vector<std::vector<double>> lasts(6);
  apg.solve(world.problem(*prox), {.observe =
                                       [&](const ApgIteration& it) {
                                         if (it.iteration != 49) return;
                                         for (std::size_t lane = 0; lane < 6; ++lane) {
                                           double score = world.score(World::factual(lane)), square = 0;
                                           for (std::size_t j = 0; j < d; ++j) {
                                             score += world.slope[j] * it.w[j][lane];
                                             square += std::pow(it.w[j][lane], 2);
                                           }
                                           if (score >= 1e-3) lasts[lane].push_back(square);
                                         }
                                       },
                                   .should_stop = {}});
  for (std::size_t lane = 0; lane < 6; ++lane) {
    ASSERT_EQ(apg.best()[lane].valid, !lasts[lane].empty());
    if (lasts[lane].empty()) continue;
    EXPECT_NEAR(apg.best()[lane].cost, *std::min_element(lasts[lane].begin(), lasts[lane].end()), 1e-5);
  }
}

TEST(Apg, a_lanes_bits_depend_neither_on_neighbours_nor_on_order) {
  for (const ProxRow& row : prox_catalogue())
    for (const StepRule rule : {StepRule::paper, StepRule::backtracking}) {
      const auto prox = row.make({.beta = 0.02, .max_changes = 2, .group = {}});
      ApgOptions options{.iterations = 60, .sections = 5};
      options.rule = rule;
      World all(21, 0.3), reversed(21, 0.3), one(1, 0.3);
      Apg batch(d, 21, options), backwards(d, 32, options), single(d, 1, options);
      for (std::size_t lane = 0; lane < 21; ++lane) reversed.place(lane, 20 - lane);
      batch.solve(all.problem(*prox));
      backwards.solve(reversed.problem(*prox));
      for (std::size_t lane = 0; lane < 21; ++lane) {
        EXPECT_EQ(answer(batch, lane), answer(backwards, 20 - lane)) << row.name;
        if (lane % 5 != 0) continue;
        one.place(0, lane);
        single.solve(one.problem(*prox));
        EXPECT_EQ(answer(batch, lane), answer(single, 0)) << row.name;
        EXPECT_EQ(batch.count(lane).gradients, single.count(0).gradients);
      }
    }
}

TEST(Apg, does_not_allocate) {
  for (const ProxRow& row : prox_catalogue()) {
    const auto prox = row.make({.beta = 0.02, .max_changes = 2, .group = {0, 0, 1, 2, 3}});
    World world(20, 0.3);
    Apg apg(d, 20, {.iterations = 20, .sections = 3});
    const std::vector<float> floor(20, -1.0F);
    const long before = test::allocations();
    apg.solve(world.problem(*prox, floor));
    EXPECT_EQ(test::allocations(), before) << row.name;
  }
}

TEST(Apg, the_floor_is_met_where_it_can_be) {
  World world(12, 0, true), plain(12);
  const auto prox = make_prox("none", {});
  Apg apg(d, 12, {}), free(d, 12, {});
  free.solve(plain.problem(*prox));
  World pulled(12, 2);
  const std::vector<float> loose(12, -0.6F), beyond(12, 1.0F);
  apg.solve(pulled.problem(*prox, loose));
  for (std::size_t lane = 0; lane < 12; ++lane) {
    EXPECT_TRUE(apg.best()[lane].meets_floor);
    EXPECT_GE(apg.best()[lane].log_density, -0.6F);
  }
  apg.solve(world.problem(*prox, beyond));
  for (std::size_t lane = 0; lane < 12; ++lane) {
    EXPECT_TRUE(apg.best()[lane].valid);
    EXPECT_FALSE(apg.best()[lane].meets_floor) << "no log-density reaches 1";
  }
}

TEST(Apg, stops_when_asked_and_keeps_what_it_has) {
  World world(4);
  const auto prox = make_prox("none", {});
  Apg apg(d, 4, {.iterations = 100, .sections = 10, .gamma = 10});
  int asked = 0;
  EXPECT_FALSE(apg.solve(world.problem(*prox), {.observe = {}, .should_stop = [&] { return ++asked > 30; }}));
  EXPECT_EQ(apg.count(0).gradients, 30);
  for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_TRUE(apg.best()[lane].valid);
  EXPECT_FALSE(apg.solve(world.problem(*prox), {.observe = {}, .should_stop = [] { return true; }}));
  EXPECT_FALSE(apg.best()[0].valid);
  EXPECT_EQ(apg.count(0).gradients, 0);
}

// Value or gradient of one lane turns into no number after some evaluations.
class Failing final : public Smooth {
 public:
  Failing(Smooth& inner, std::size_t lane, int after, bool by_gradient)
      : inner_(inner), lane_(lane), after_(after), by_gradient_(by_gradient) {}
  std::size_t features() const override { return inner_.features(); }
  void evaluate(const Block& w, float* value, Block* gradient) override {
    inner_.evaluate(w, value, gradient);
    if (++evaluations_ <= after_) return;
    if (!by_gradient_) value[lane_] = NAN;
    if (by_gradient_ && gradient != nullptr) (*gradient)[2][lane_] = INFINITY;
  }
  const float* margin() const override { return inner_.margin(); }
  const float* log_density() const override { return inner_.log_density(); }
  const float* cost() const override { return inner_.cost(); }
  std::span<float> gamma() override { return inner_.gamma(); }

 private:
  Smooth& inner_;
  std::size_t lane_;
  int after_;
  bool by_gradient_;
  int evaluations_ = 0;
};

TEST(Apg, a_lane_that_is_not_finite_stops_and_is_flagged_and_the_others_go_on) {
  const auto prox = make_prox("top_m", {.beta = 0, .max_changes = 2, .group = {}});
  World world(5);
  Apg healthy(d, 5, {}), apg(d, 5, {});
  healthy.solve(world.problem(*prox));
  for (const bool by_gradient : {false, true})
    for (const int after : {0, 1, 37}) {
      Failing failing(world.objective, 3, after, by_gradient);
      EXPECT_TRUE(apg.solve({failing, *prox, world.box, {}}));
      for (std::size_t lane = 0; lane < 5; ++lane) {
        EXPECT_EQ(apg.count(lane).finite, lane != 3);
        if (lane == 3) {
          EXPECT_LE(apg.count(lane).gradients, after + 1);
          for (const float w : answer(apg, lane)) EXPECT_TRUE(std::isfinite(w));
        } else {
          EXPECT_EQ(answer(apg, lane), answer(healthy, lane));
        }
      }
    }
}

TEST(Apg, bad_options_are_named) {
  EXPECT_THROW(Apg(d, 1, {.iterations = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 1, .gamma = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 1, .gamma = 1, .step = NAN}), Error);
}

}  // namespace
}  // namespace scfe
