// The sum of the terms against a naive sum in double, and its gradient against central differences.
#include "objective/objective.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "kernel/rows_of.h"
#include "scfe/error.h"
#include "tests/helper/parts.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

constexpr std::size_t d = 4, lanes = 19;

Matrix random_matrix(Uniform& uniform, std::size_t rows, std::size_t cols, double lo, double hi) {
  Matrix m(rows, cols);
  for (double& x : m.values) x = uniform(lo, hi);
  return m;
}

// Random parts of an objective, with a block of factuals and a block of changes.
struct World {
  explicit World(std::size_t scores, std::uint64_t seed)
      : uniform(seed),
        model(random_matrix(uniform, scores, d, -2, 2), random_matrix(uniform, scores, d, -1, 1),
              random_matrix(uniform, 1, scores, -1, 1).values),
        space(Scaling{{1, -2, 0, 3}, {2, 0.5, 1, 4}}),
        density(random_matrix(uniform, 3, d, 0, 1), random_matrix(uniform, 3, d, 0.2, 0.5), {-1, -2, -0.5}),
        w(d, lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      factuals.emplace_back();
      for (std::size_t j = 0; j < d; ++j) {
        factuals.back().push_back(static_cast<float>(uniform(0, 1)));
        w[j][lane] = static_cast<float>(uniform(-0.5, 0.5));
      }
    }
  }
  void fill(Objective& objective) {
    objective.set_lanes(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      objective.set_factual(lane, factuals[lane]);
      objective.gamma()[lane] = 0.5F + 0.25F * static_cast<float>(lane);
    }
  }

  Uniform uniform;
  test::QuadraticModel model;
  Space space;
  test::MixtureDensity density;
  Block w;
  std::vector<std::vector<float>> factuals;
};

// A lane with factor 0 has gradient 0 even if its score overflows, although 0 times infinity is NaN.
TEST(Terms, a_lane_without_a_factor_has_gradient_zero) {
  const test::QuadraticModel model(test::matrix(3, 1, {1, 2, 3}), test::matrix(3, 1, {1e38, 1, 1}),
                                   {0, 0, 0});
  const Space space(no_scaling(1));
  const Validity validity(3, {.target = 1, .margin = 0, .probability = 0.6});
  const test::MixtureDensity density(test::matrix(1, 1, {0}), test::matrix(1, 1, {1}), {0});
  const test::Parts parts(model, space, validity, density);
  Terms terms(parts.query, 2);
  Block u(1, 2), anchors(1, 2);
  u[0][0] = 1e-20F;
  u[0][1] = 100;
  terms.evaluate(u, anchors, {});
  std::vector<float> factor(lane_step);
  EXPECT_EQ(terms.pull_margin(factor.data()).rows.data, nullptr);
  factor[0] = 1;
  const kernel::Scaled pulled = terms.pull_margin(factor.data());
  ASSERT_NE(pulled.rows.data, nullptr);
  Block w(1, 2), gradient(1, 2);
  kernel::kernels().slope({1, nullptr, 0, {}, pulled, factor.data()}, kernel::rows_of(std::as_const(w)),
                          kernel::rows_of(gradient), gradient.padded_lanes());
  EXPECT_NE(gradient[0][0], 0);
  EXPECT_EQ(gradient[0][1], 0);
}

TEST(Objective, gradient_of_every_loss_is_the_derivative) {
  for (const LossRow& loss : loss_catalogue())
    for (const std::size_t scores : {1U, 3U})
      for (const double tau : {0.0, 0.3, 0.7}) {
        World world(scores, 5);
        const Validity validity(scores, {.target = 1, .margin = 0.1, .probability = {}});
        const test::Parts parts(world.model, world.space, validity, world.density);
        Terms terms(parts.query, lanes);
        Weights weights;
        weights.proximity = SquaredL2({1, 2, 0.5, 3});
        weights.loss = &loss;
        weights.kappa = 0.3;
        weights.tau = tau;
        Objective objective(terms, weights);
        world.fill(objective);
        for (std::size_t lane = 0; lane < lanes && tau == 0.3; ++lane)
          objective.set_prices(lane, std::vector<double>{0.5, 0, 2, 1});
        Block gradient(d, lanes), scratch(d, lanes);
        std::vector<float> at(lanes), up(lanes), down(lanes);
        objective.evaluate(world.w, at.data(), &gradient);
        std::vector<float> margin(objective.margin(), objective.margin() + lanes);
        int compared = 0;
        for (std::size_t j = 0; j < d; ++j) {
          constexpr float h = 1e-2F;
          std::vector<float> margin_up(lanes);
          for (std::size_t lane = 0; lane < lanes; ++lane) world.w[j][lane] += h;
          objective.evaluate(world.w, up.data(), nullptr);
          std::copy_n(objective.margin(), lanes, margin_up.data());
          for (std::size_t lane = 0; lane < lanes; ++lane) world.w[j][lane] -= 2 * h;
          objective.evaluate(world.w, down.data(), nullptr);
          for (std::size_t lane = 0; lane < lanes; ++lane) {
            world.w[j][lane] += h;
            const float slope = margin_up[lane] - objective.margin()[lane];
            if (std::fabs(margin[lane] - 0.3F) < 2 * std::fabs(slope) + 0.3F)
              continue;  // near the hinge's kink
            if (scores == 3 &&
                std::fabs(margin_up[lane] + objective.margin()[lane] - 2 * margin[lane]) > 1e-2F)
              continue;  // another rival becomes the strongest
            ++compared;
            // h is large because of single precision; the error h² f''' / 6 is within the tolerance.
            EXPECT_NEAR(gradient[j][lane], (up[lane] - down[lane]) / (2 * h),
                        5e-3F * std::max(1.0F, std::fabs(gradient[j][lane])))
                << loss.name << " " << scores << " tau " << tau;
          }
        }
        EXPECT_GT(compared, 25);
      }
}

TEST(Objective, value_is_the_sum_of_its_terms) {
  World world(1, 6);
  const Validity validity(1, {.target = 0, .margin = 0.1, .probability = {}});
  const test::Parts parts(world.model, world.space, validity, world.density);
  Terms terms(parts.query, lanes);
  Weights weights;
  weights.tau = 0.7;
  weights.kappa = 0.2;
  Objective objective(terms, weights);
  world.fill(objective);
  std::vector<float> value(lanes);
  objective.evaluate(world.w, value.data(), nullptr);

  Block u(d, 1), x(d, 1), score(1, 1);
  const auto tape = world.model.tape(1);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    double distance = 0;
    for (std::size_t j = 0; j < d; ++j) {
      distance += std::pow(world.w[j][lane], 2);
      u[j][0] = world.factuals[lane][j] + world.w[j][lane];
      x[j][0] = static_cast<float>(world.space.to_original(j, u[j][0]));
    }
    world.model.forward(x, score, *tape);
    float density = 0;
    world.density.evaluate(u, u, &density, nullptr, nullptr, nullptr);
    const double margin = -score[0][0] - 0.1, loss = std::fmax(0.0, 0.2 - margin);
    EXPECT_NEAR(objective.margin()[lane], margin, 1e-5);
    EXPECT_NEAR(objective.log_density()[lane], density, 1e-5);
    EXPECT_NEAR(objective.cost()[lane], distance - 0.7 * density, 1e-4);
    EXPECT_NEAR(value[lane], distance - 0.7 * density + (0.5 + 0.25 * static_cast<double>(lane)) * loss,
                1e-5 * (10 + std::fabs(value[lane])));
  }
}

// A density that fails the test if it is evaluated.
class Untouchable final : public Density {
 public:
  std::size_t features() const override { return d; }
  std::size_t scratch(std::size_t /*max_lanes*/) const override { return 0; }
  void anchor(std::span<const float> /*factual*/, std::span<float> /*anchor*/) const override {}
  void evaluate(const Block& /*x*/, const Block& /*anchors*/, float* /*value*/, Block* /*gradient*/,
                Block* /*weights*/, float* /*scratch*/) const override {
    throw Error("the density was asked");
  }
  void curvature(std::span<const float> /*weights*/, std::span<const int> /*support*/,
                 std::span<double> /*kappa*/) const override {}
};

TEST(Objective, without_tau_the_density_is_not_asked) {
  World world(1, 7);
  const Untouchable density;
  const Validity validity(1, {.target = 1, .margin = 0, .probability = {}});
  const test::Parts parts(world.model, world.space, validity, density);
  Terms terms(parts.query, lanes);
  Objective objective(terms, {});
  world.fill(objective);
  std::vector<float> value(lanes);
  Block gradient(d, lanes);
  EXPECT_NO_THROW(objective.evaluate(world.w, value.data(), &gradient));
  Weights watching;
  watching.watch_density = true;
  Objective watched(terms, watching);
  world.fill(watched);
  EXPECT_THROW(watched.evaluate(world.w, value.data(), &gradient), Error);
}

TEST(Objective, lanes_are_independent_of_the_block) {
  World world(3, 8);
  const Validity validity(3, {.target = 2, .margin = 0, .probability = {}});
  const test::Parts parts(world.model, world.space, validity, world.density);
  Terms terms(parts.query, lanes);
  Weights weights;
  weights.tau = 0.3;
  Objective all(terms, weights), one(terms, weights);
  world.fill(all);
  std::vector<float> value(lanes);
  Block gradient(d, lanes), alone(d, 1), alone_gradient(d, 1);
  all.evaluate(world.w, value.data(), &gradient);
  one.set_lanes(1);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    one.set_factual(0, world.factuals[lane]);
    one.gamma()[0] = all.gamma()[lane];
    for (std::size_t j = 0; j < d; ++j) alone[j][0] = world.w[j][lane];
    float single = 0;
    one.evaluate(alone, &single, &alone_gradient);
    EXPECT_EQ(single, value[lane]);
    for (std::size_t j = 0; j < d; ++j) EXPECT_EQ(alone_gradient[j][0], gradient[j][lane]);
  }
}

TEST(Objective, bad_weights_are_named) {
  World world(1, 9);
  const Validity validity(1, {});
  const test::Parts parts(world.model, world.space, validity, world.density);
  Terms terms(parts.query, lanes);
  for (const double bad : {-1.0, std::nan("")}) {
    Weights weights;
    weights.tau = bad;
    EXPECT_THROW(Objective(terms, weights), Error);
  }
  EXPECT_THROW(SquaredL2({1, -1}), Error);
  EXPECT_THROW(SquaredL2({INFINITY}), Error);
}

TEST(Proximity, weights_are_one_over_the_median_deviation) {
  // columns: spread evenly; constant; more than half alike; even count of rows
  const Matrix rows = test::matrix(4, 3, {0, 7, 0, 1, 7, 0, 2, 7, 0, 5, 7, 4});
  const auto weight = inverse_mad_weights(rows);
  EXPECT_DOUBLE_EQ(weight[0], 1);  // median 1.5, deviations .5 .5 1.5 3.5: median 1
  EXPECT_DOUBLE_EQ(weight[1], 1);  // never varies
  EXPECT_DOUBLE_EQ(weight[2], 1);  // MAD 0, mean absolute deviation 1
  EXPECT_DOUBLE_EQ(inverse_mad_weights(test::matrix(3, 1, {0, 0.25, 3}))[0], 4);
  EXPECT_DOUBLE_EQ(inverse_mad_weights(test::matrix(1, 1, {5}))[0], 1);
  EXPECT_THROW(inverse_mad_weights(Matrix(0, 2)), Error);
}

}  // namespace
}  // namespace scfe
