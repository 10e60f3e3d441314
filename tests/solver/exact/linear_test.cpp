// The linear solver against plain enumeration over all writable values.
#include "solver/exact/linear.h"

#include <gtest/gtest.h>

#include "plausibility/none.h"
#include "support/parallel.h"
#include "tests/helper/parts.h"
#include "tests/helper/uniform.h"
#include "tests/solver/exact/random_ensemble.h"

namespace scfe {
namespace {

struct Asked {
  int max_changes;
  bool fewest_first;
  int target;
  double required;
  Deadline deadline = {};
};

void solve(const Model& model, const Space& space, const Writing& writing, const Asked& asked, Row row,
           Found& found) {
  const NoDensity none(space.columns());
  const Validity validity(1, {.target = asked.target, .margin = asked.required, .probability = {}});
  test::Parts parts(model, space, validity, none);
  parts.writing = writing;
  parts.query.options.max_changes = asked.max_changes;
  parts.query.options.fewest_first = asked.fewest_first;
  parts.query.target = asked.target;
  parts.query.deadline = asked.deadline;
  row.required = asked.required;
  exact_linear_rows(parts.query, {&row, 1}, {&found, 1});
}

class LinearModel : public Model {
 public:
  explicit LinearModel(Layer layer) : layer_(std::move(layer)) {}
  std::size_t features() const override { return layer_.weight.cols; }
  std::size_t scores() const override { return 1; }
  std::unique_ptr<Tape> tape(std::size_t) const override { return std::make_unique<Tape>(); }
  void forward(const Block& x, Block& scores, Tape&) const override {
    scores.set_lanes(x.lanes());
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      double sum = layer_.bias[0];
      for (std::size_t j = 0; j < features(); ++j)
        sum += layer_.weight[0][j] * static_cast<double>(x[j][lane]);
      scores[0][lane] = static_cast<float>(sum);
    }
  }
  void backward(const Block&, Block&, Tape&) const override {}
  const Layer* linear() const override { return &layer_; }

 private:
  Layer layer_;
};

struct LinearOracle {
  const test::TreeCase& c;
  const Layer& layer;
  int target;
  double required;
  double best = INFINITY;

  double margin(const std::vector<double>& row) const {
    std::vector<double> x(c.space.inputs());
    c.space.to_inputs(row, x);
    double sum = layer.bias[0];
    for (std::size_t j = 0; j < x.size(); ++j) sum += layer.weight[0][j] * x[j];
    return target == 1 ? sum : -sum;
  }
  std::vector<double> choices(std::size_t f) const {
    std::vector<double> values;
    if (c.space.is_category(f)) {
      for (const int level : c.instance.levels[f])
        if (level != c.instance.values[f]) values.push_back(level);
      return values;
    }
    const std::size_t column = c.space.first(f);
    const double own = c.instance.values[f], step = c.writing.step[f];
    const double lo = c.instance.lo[column] < 0 ? std::min(own, *c.features[f].min) : own,
                 hi = c.instance.hi[column] > 0 ? std::max(own, *c.features[f].max) : own;
    for (double k = std::ceil(lo / step); k * step <= hi; ++k)
      if (k * step != own) values.push_back(k * step);
    return values;
  }
  void run(std::vector<double>& row, std::size_t from, int left, double cost) {
    if (cost >= best) return;
    if (margin(row) >= required) best = cost;
    if (left == 0) return;
    for (std::size_t f = from; f < row.size(); ++f) {
      const double own = row[f];
      for (const double value : choices(f)) {
        row[f] = value;
        run(row, f + 1, left - 1, cost + c.space.cost(f, own, value));
      }
      row[f] = own;
    }
  }
};

void expect_plain_enumeration(const Proximity& proximity) {
  int changed = 0, infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    test::CaseMaker maker(seed, proximity);
    test::TreeCase c = maker.make();
    for (std::size_t f = 0; f < c.features.size(); ++f) {
      if (c.space.is_category(f) || c.writing.step[f] > 0) continue;
      c.writing.step[f] = 0.25;
      c.instance.values[f] = std::round(c.instance.values[f] * 4) / 4;
    }
    const std::vector<double> before = c.instance.factual;
    c.space.to_columns(c.instance.values, c.instance.factual);
    for (std::size_t j = 0; j < before.size(); ++j) {
      if (c.instance.lo[j] < 0)
        c.instance.lo[j] = std::min(0.0, c.instance.lo[j] + before[j] - c.instance.factual[j]);
      if (c.instance.hi[j] > 0)
        c.instance.hi[j] = std::max(0.0, c.instance.hi[j] + before[j] - c.instance.factual[j]);
    }
    Layer layer{Matrix(1, c.space.inputs()), {0}, "none"};
    for (double& w : layer.weight.values) w = maker.random().chance(0.1) ? 0 : maker.random()(-1, 1);
    const int target = maker.random().integer(0, 1);
    LinearOracle oracle{c, layer, target, 1e-4};
    layer.bias[0] -= (target == 1 ? 1 : -1) * (oracle.margin(c.instance.values) + maker.random()(0, 2));
    const LinearModel model(layer);
    const int m = maker.random().integer(1, 3);
    Found found;
    solve(model, c.space, c.writing, {m, false, target, 1e-4}, c.instance, found);
    std::vector<double> row = c.instance.values;
    oracle.run(row, 0, m, 0);
    ASSERT_TRUE(found.proven) << seed;
    if (std::isinf(oracle.best)) {
      ++infeasible;
      EXPECT_EQ(found.status, Status::not_found) << seed;
      continue;
    }
    ++changed;
    ASSERT_EQ(found.status, Status::valid) << seed;
    double cost = 0;
    for (std::size_t f = 0; f < row.size(); ++f)
      cost += c.space.cost(f, c.instance.values[f], found.values[f]);
    EXPECT_NEAR(cost, oracle.best, 1e-9) << seed;
    EXPECT_GE(oracle.margin(found.values), 1e-4 - 1e-7) << seed;
  }
  EXPECT_GT(changed, 200);
  EXPECT_GT(infeasible, 20);
}

TEST(ExactLinear, equals_plain_enumeration) { expect_plain_enumeration({}); }
TEST(ExactLinear, equals_plain_enumeration_for_lengths) { expect_plain_enumeration({.squared = false}); }

TEST(ExactLinear, many_fine_numbers_reach_the_closed_form) {
  // min |d|² subject to w·d >= need, all features free: d = need w / |w|².
  const std::size_t d = 8;
  Scaling scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)};
  const Space space(scaling);
  Writing writing{std::vector<double>(d, 0.0)};
  Layer layer{Matrix(1, d), {-1}, "none"};
  double norm = 0;
  for (std::size_t j = 0; j < d; ++j) {
    layer.weight.values[j] = 0.3 + 0.1 * static_cast<double>(j);
    norm += layer.weight.values[j] * layer.weight.values[j];
  }
  const LinearModel model(layer);
  Row row;
  row.values.assign(d, 0.0);
  row.factual.assign(d, 0.0);
  row.lo.assign(d, -10.0);
  row.hi.assign(d, 10.0);
  row.levels.resize(d);
  Found found;
  solve(model, space, writing, {8, false, 1, 1e-4}, row, found);
  ASSERT_EQ(found.status, Status::valid);
  EXPECT_TRUE(found.proven);
  double cost = 0;
  for (const double x : found.values) cost += x * x;
  EXPECT_NEAR(cost, 1.0001 * 1.0001 / norm, 1e-5);
  EXPECT_EQ(found.support.size(), d);
}

// A model that adds up in single precision, and rows whose candidates lie within its rounding of what is
// required: where an answer is called proven, none that holds by the model's own sums is closer.
TEST(ExactLinear, does_not_prove_what_rounding_may_turn) {
  test::Uniform random(7);
  const std::size_t d = 4;
  const Space space(Scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 4.0)});
  const Writing writing{std::vector<double>(d, 1.0)};
  int proven = 0, open = 0;
  for (int i = 0; i < 2000; ++i) {
    Layer layer{Matrix(1, d), {0}, "none"};
    for (double& w : layer.weight.values) w = random(0.1, 1);
    // Some candidate has the margin that is required, but for a few units in the last place.
    std::vector<double> exact(d);
    for (double& x : exact) x = std::floor(random(0, 5));
    for (std::size_t j = 0; j < d; ++j) layer.bias[0] -= layer.weight[0][j] * exact[j];
    layer.bias[0] += 0.5 + random(-4e-7, 4e-7);
    const auto model = dense_network({layer});
    Row row;
    row.values.assign(d, 0.0);
    row.factual.assign(d, 0.0);
    row.lo.assign(d, 0.0);
    row.hi.assign(d, 1.0);
    row.levels.resize(d);
    Found found;
    solve(*model, space, writing, {4, false, 1, 0.5}, row, found);
    if (found.status != Status::valid) continue;
    ++(found.proven ? proven : open);
    if (!found.proven) continue;
    double cost = 0, best = INFINITY;
    for (const double x : found.values) cost += x * x / 16;
    const auto tape = model->tape(1);
    Block x(d, 1), z(1, 1);
    for (int code = 0; code < 625; ++code) {
      double there = 0;
      for (int j = 0, rest = code; j < 4; ++j, rest /= 5) {
        x[static_cast<std::size_t>(j)][0] = static_cast<float>(rest % 5);
        there += (rest % 5) * (rest % 5) / 16.0;
      }
      model->forward(x, z, *tape);
      if (z[0][0] >= 0.5F) best = std::min(best, there);
    }
    EXPECT_LE(cost, best * (1 + 2e-4)) << i;
  }
  EXPECT_GT(proven, 1000);
  EXPECT_GT(open, 0);
}

Matrix one_weight(double weight) {
  Matrix matrix(1, 1);
  matrix.values = {weight};
  return matrix;
}

// Numbers from 0 to `most` of their ranges, at 0.
Row at_zero(const std::vector<double>& most) {
  Row row;
  row.values.assign(most.size(), 0.0);
  row.factual.assign(most.size(), 0.0);
  row.lo.assign(most.size(), 0.0);
  row.hi = most;
  row.levels.resize(most.size());
  return row;
}

TEST(ExactLinear, a_margin_of_nothing_is_no_win_for_class_1) {
  const Space space(Scaling{{0}, {1}});
  const Writing writing{{0.5}};
  const LinearModel rises(Layer{one_weight(1), {-0.5}, "none"});
  const LinearModel falls(Layer{one_weight(-1), {0.5}, "none"});
  const Row row = at_zero({1});
  Found found;
  solve(rises, space, writing, {1, true, 1, 0}, row, found);
  ASSERT_EQ(found.status, Status::valid);
  EXPECT_EQ(found.values[0], 1);
  solve(falls, space, writing, {1, true, 0, 0}, row, found);
  ASSERT_EQ(found.status, Status::valid);
  EXPECT_EQ(found.values[0], 0.5);
}

TEST(ExactLinear, a_proof_that_is_complete_was_in_time) {
  const Space space(Scaling{{0}, {1}});
  const Writing writing{{0.5}};
  const LinearModel model(Layer{one_weight(1), {-0.3}, "none"});
  const Row row = at_zero({1});
  Found found;
  const auto past = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  solve(model, space, writing, {1, true, 1, 1e-4, past}, row, found);
  EXPECT_EQ(found.status, Status::valid);
  EXPECT_TRUE(found.proven);
  EXPECT_FALSE(found.timed_out);
}

TEST(ExactLinear, nine_digits_stay_within_a_limit_that_has_more) {
  for (const double limit : {0.12345678987, 0.99999999991, 0.2, 0.33333333333333}) {
    const Space space(Scaling{{0, 0}, {1, 1}});
    const Writing writing{{0, 0}};
    Layer layer{Matrix(1, 2), {-limit - 0.001}, "none"};
    layer.weight.values = {1, 0.01};
    const LinearModel model(layer);
    const Row row = at_zero({limit, 1});
    Found found;
    solve(model, space, writing, {2, true, 1, 1e-4}, row, found);
    ASSERT_EQ(found.status, Status::valid) << limit;
    EXPECT_LE(found.values[0], limit);
    EXPECT_GE(found.values[0], limit - 2e-9);
  }
}

}  // namespace
}  // namespace scfe
