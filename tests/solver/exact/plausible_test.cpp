// Bounds of log q cut supports, halves of grids and boxes: the answers are those without bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/product_mixture.h"
#include "solver/exact/exact.h"
#include "support/parallel.h"
#include "tests/solver/exact/random_ensemble.h"

namespace scfe {
namespace {

using test::CaseMaker;
using test::TreeCase;
using test::Uniform;

// The same values, of which no bounds are known.
class WithoutBounds : public Density {
 public:
  explicit WithoutBounds(const Density& density) : density_(density) {}
  std::size_t features() const override { return density_.features(); }
  std::size_t weights() const override { return density_.weights(); }
  std::size_t scratch(std::size_t max_lanes) const override { return density_.scratch(max_lanes); }
  void evaluate(const Block& x, const Block& anchors, float* value, Block* gradient, Block* weights,
                float* scratch) const override {
    density_.evaluate(x, anchors, value, gradient, weights, scratch);
  }
  void curvature(std::span<const float> weights, std::span<const int> support,
                 std::span<double> kappa) const override {
    density_.curvature(weights, support, kappa);
  }

 private:
  const Density& density_;
};

// Rows of a class: any level, and numbers in the range and a little beyond.
Matrix random_rows(const TreeCase& c, std::size_t count, Uniform& random) {
  Matrix rows(count, c.space.columns());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t f = 0; f < c.features.size(); ++f) {
      const std::size_t column = c.space.first(f);
      if (c.space.is_category(f))
        rows[i][column +
                static_cast<std::size_t>(random.integer(0, static_cast<int>(c.space.width(f)) - 1))] = 1;
      else
        rows[i][column] = random(-0.2, 1.2);
    }
  return rows;
}

std::unique_ptr<const Density> random_density(const TreeCase& c, int kind, Uniform& random) {
  const std::size_t columns = c.space.columns();
  if (kind == 0) {
    std::vector<double> inverse(columns);
    for (double& sharp : inverse) sharp = random(1, 8);
    return std::make_unique<Kde>(random_rows(c, 12, random), inverse, 0.0);
  }
  if (kind == 1)
    return std::make_unique<Gravity>(random_rows(c, 12, random), Gravity::Form{3}, std::vector<double>());
  constexpr std::size_t components = 3;
  Products products{{0.2, 0.3, 0.5},
                    Matrix(components, columns),
                    Matrix(components, columns),
                    Matrix(components, columns),
                    c.space.groups()};
  if (products.group.empty()) products.group.assign(columns, -1);
  for (std::size_t k = 0; k < components; ++k)
    for (std::size_t f = 0; f < c.features.size(); ++f)
      for (std::size_t j = c.space.first(f); j < c.space.first(f) + c.space.width(f); ++j) {
        const bool category = c.space.is_category(f);
        products.means[k][j] = category ? 0 : random(0, 1);
        products.variances[k][j] = category ? 1 : random(0.01, 0.2);
        products.log_levels[k][j] = category ? random(-4, -0.1) : 0;
      }
  return std::make_unique<ProductMixture>(products);
}

float log_density_at(const Density& density, const TreeCase& c, const std::vector<double>& values) {
  std::vector<double> columns(c.space.columns());
  c.space.to_columns(values, columns);
  Block x(columns.size(), 1), anchors(columns.size(), 1);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    x[j][0] = static_cast<float>(columns[j]);
    anchors[j][0] = c.instance.anchor[j];
  }
  std::vector<float> scratch(density.scratch(1)), value(padded(1));
  density.evaluate(x, anchors, value.data(), nullptr, nullptr, scratch.data());
  return value[0];
}

Found solved(const TreeCase& c, const ExactOptions& options, const Density& density) {
  Pool pool(1);
  Found found;
  exact_rows({c.ensemble, c.space, c.writing, options, &density}, {&c.instance, 1}, {&found, 1}, pool);
  return found;
}

TEST(ExactPlausible, bounds_change_no_answer) {
  int valid = 0, none = 0, out_of_reach = 0, never_valid = 0, most_plausible = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= 240; ++seed) {
    CaseMaker maker(seed);
    TreeCase c = maker.make();
    const std::unique_ptr<const Density> density =
        random_density(c, static_cast<int>(seed % 3), maker.random());
    const WithoutBounds unbounded(*density);
    c.instance.anchor.resize(c.space.columns());
    density->anchor(std::vector<float>(c.instance.factual.begin(), c.instance.factual.end()),
                    c.instance.anchor);
    ExactOptions options;
    options.max_changes = maker.random().integer(1, 2);
    options.fewest_first = maker.random().chance(0.5);
    options.target = maker.random().integer(0, 1);
    options.further_values = 10;
    options.max_densities = 10'000'000;  // so that both are complete
    const double own = static_cast<double>(log_density_at(*density, c, c.instance.values));
    c.instance.floor = own + maker.random()(-2, 6);

    const Found with = solved(c, options, *density), without = solved(c, options, unbounded);
    ASSERT_EQ(with.status, without.status) << seed;
    EXPECT_EQ(with.values, without.values) << seed;
    EXPECT_EQ(with.proven, without.proven) << seed;
    // Without bounds only because no row is valid.
    EXPECT_TRUE(with.out_of_reach || !without.out_of_reach) << seed;
    valid += with.status == Status::valid ? 1 : 0;
    none += with.status == Status::not_found ? 1 : 0;
    if (with.out_of_reach) {
      EXPECT_NE(with.status, Status::valid) << seed;
      out_of_reach += without.out_of_reach ? 0 : 1;
      never_valid += without.out_of_reach ? 1 : 0;
    }

    c.instance.floor.reset();
    c.instance.demand.most_plausible = true;
    const Found best = solved(c, options, *density), plain = solved(c, options, unbounded);
    ASSERT_EQ(best.status, plain.status) << seed;
    EXPECT_EQ(best.log_density, plain.log_density) << seed;
    if (without.out_of_reach) EXPECT_NE(best.status, Status::valid) << seed;
    if (best.status != Status::valid) continue;
    ++most_plausible;
    better += best.log_density > own + 1 ? 1 : 0;
    EXPECT_LE(test::cost_of(c, best.values), test::cost_of(c, plain.values)) << seed << ": a tie";
  }
  EXPECT_GT(valid, 30);
  EXPECT_GT(none, 50);
  EXPECT_GT(out_of_reach, 20);
  EXPECT_GT(never_valid, 20);
  EXPECT_GT(most_plausible, 60);
  EXPECT_GT(better, 30);
}

// What is kept for a fitted model is that of a new one, whatever was asked before.
TEST(ExactPlausible, prepared_cells_serve_every_question) {
  Pool pool(1);
  int asked = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CaseMaker maker(seed);
    const TreeCase c = maker.make();
    Prepared prepared;
    for (const int target : {1, 0, 1}) {
      ExactOptions options;
      options.target = target;
      options.required = target == 1 ? 1e-4 : 0.2;
      TreeCase row = c;
      row.instance.required = options.required;
      ExactJob job{c.ensemble, c.space, c.writing, options};
      Found fresh, kept;
      exact_rows(job, {&row.instance, 1}, {&fresh, 1}, pool);
      job.prepared = &prepared;
      exact_rows(job, {&row.instance, 1}, {&kept, 1}, pool);
      EXPECT_EQ(fresh.status, kept.status) << seed;
      EXPECT_EQ(fresh.values, kept.values) << seed;
      asked += fresh.status == Status::valid ? 1 : 0;
    }
  }
  EXPECT_GT(asked, 20);
}

}  // namespace
}  // namespace scfe
