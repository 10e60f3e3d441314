// The exact solver under a density floor, a predicate, a deadline, and with fewest changes first.
#include <gtest/gtest.h>

#include <cmath>

#include "model/trees/ensemble.h"
#include "scfe/error.h"
#include "solver/exact/exact.h"
#include "support/parallel.h"
#include "tests/solver/exact/random_ensemble.h"

namespace scfe {
namespace {

using test::CaseMaker;
using test::TreeCase;

// log q = -sum over columns of (u - 1/2)²
class Bowl : public Density {
 public:
  explicit Bowl(std::size_t columns) : columns_(columns) {}
  std::size_t features() const override { return columns_; }
  std::size_t scratch(std::size_t) const override { return 0; }
  void anchor(std::span<const float>, std::span<float> anchor) const override {
    std::ranges::fill(anchor, 0.0F);
  }
  void evaluate(const Block& x, const Block&, float* value, Block*, Block*, float*) const override {
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      value[lane] = 0;
      for (std::size_t j = 0; j < columns_; ++j) value[lane] -= (x[j][lane] - 0.5F) * (x[j][lane] - 0.5F);
    }
  }
  void curvature(std::span<const float>, std::span<const int>, std::span<double>) const override {}

 private:
  std::size_t columns_;
};

double log_density(const TreeCase& c, const std::vector<double>& values) {
  std::vector<double> u(c.space.columns());
  c.space.to_columns(values, u);
  double sum = 0;
  for (const double x : u) sum -= (x - 0.5) * (x - 0.5);
  return sum;
}

double margin_of(const TreeCase& c, const std::vector<double>& values, int target) {
  std::vector<double> x(c.space.inputs()), z(1);
  c.space.to_inputs(values, x);
  c.ensemble.scores(x, z);
  return target == 1 ? z[0] : -z[0];
}

// A case with one score whose row is not yet in the target class, and steps everywhere: few values in all.
TreeCase stepped_case(std::uint64_t& seed, int target) {
  for (;; ++seed) {
    CaseMaker maker(seed);
    TreeCase c = maker.make();
    bool listed = c.ensemble.base.size() == 1;
    for (std::size_t f = 0; f < c.features.size(); ++f)
      listed = listed && (c.space.is_category(f) ? c.features[f].levels.size() < 10 : c.writing.step[f] > 0);
    if (listed && margin_of(c, c.instance.values, target) < 0) {
      ++seed;
      return c;
    }
  }
}

struct Enumeration {
  const TreeCase& c;
  int target;
  std::function<bool(const std::vector<double>&)> accept;
  double best = INFINITY, most_plausible = -INFINITY;

  void run(std::vector<double>& row, std::size_t from, int left) {
    if (margin_of(c, row, target) >= 1e-4) {
      if (accept(row)) best = std::min(best, cost_of(c, row));
      most_plausible = std::max(most_plausible, log_density(c, row));
    }
    if (left == 0) return;
    for (std::size_t f = from; f < row.size(); ++f) {
      const double own = row[f];
      const auto visit = [&](double value) {
        row[f] = value;
        if (value != own) run(row, f + 1, left - 1);
        row[f] = own;
      };
      if (c.space.is_category(f)) {
        for (const int level : c.instance.levels[f]) visit(level);
        continue;
      }
      const std::size_t column = c.space.first(f);
      const double lo = c.instance.lo[column] < 0 ? *c.features[f].min : own,
                   hi = c.instance.hi[column] > 0 ? *c.features[f].max : own, step = c.writing.step[f];
      for (double k = std::ceil(lo / step); k * step <= hi; ++k) visit(k * step);
    }
  }
};

TEST(ExactLimits, a_floor_is_met_at_the_least_cost_or_the_most_plausible_is_known) {
  Pool pool(1);
  std::uint64_t seed = 1;
  int met = 0, missed = 0;
  for (int i = 0; i < 150; ++i) {
    const int target = i % 2;
    TreeCase c = stepped_case(seed, target);
    const Bowl density(c.space.columns());
    c.instance.anchor.assign(c.space.columns(), 0.0F);
    c.instance.floor = log_density(c, c.instance.values) + 0.05 * (i % 7) - 0.1037;
    ExactOptions options{.max_changes = 2, .fewest_first = false, .target = target};
    Found found;
    exact_rows({c.ensemble, c.space, c.writing, options, &density}, {&c.instance, 1}, {&found, 1}, pool);
    Enumeration all{c, target,
                    [&](const auto& row) { return log_density(c, row) >= *c.instance.floor - 1e-6; }};
    std::vector<double> row = c.instance.values;
    all.run(row, 0, 2);
    EXPECT_TRUE(found.proven);
    if (std::isfinite(all.best)) {
      ++met;
      ASSERT_EQ(found.status, Status::valid) << seed;
      EXPECT_NEAR(cost_of(c, found.values), all.best, 1e-9) << seed;
      EXPECT_NEAR(found.log_density, log_density(c, found.values), 1e-5);
    } else if (std::isfinite(all.most_plausible)) {
      ++missed;
      ASSERT_EQ(found.status, Status::not_found) << seed;
      c.instance.floor.reset();
      c.instance.demand.most_plausible = true;
      exact_rows({c.ensemble, c.space, c.writing, options, &density}, {&c.instance, 1}, {&found, 1}, pool);
      ASSERT_EQ(found.status, Status::valid) << seed;
      EXPECT_FALSE(found.proven) << seed;
      EXPECT_NEAR(found.log_density, all.most_plausible, 1e-5) << seed;
    } else {
      EXPECT_EQ(found.status, Status::not_found) << seed;
    }
  }
  EXPECT_GT(met, 20);
  EXPECT_GT(missed, 5);
}

TEST(ExactLimits, a_predicate_is_obeyed_at_the_least_cost) {
  Pool pool(1);
  std::uint64_t seed = 1000;
  int found_any = 0;
  for (int i = 0; i < 100; ++i) {
    TreeCase c = stepped_case(seed, 1);
    const auto allowed = [](std::span<const double> v) {
      return static_cast<int>(std::floor(v[0] + v[1])) % 2 == 0;
    };
    c.instance.demand.allows = allowed;
    ExactOptions options{.max_changes = 2, .fewest_first = false};
    Found found;
    exact_rows({c.ensemble, c.space, c.writing, options}, {&c.instance, 1}, {&found, 1}, pool);
    Enumeration all{c, 1, [&](const auto& row) { return allowed(row); }};
    std::vector<double> row = c.instance.values;
    all.run(row, 0, 2);
    ASSERT_EQ(found.status, std::isfinite(all.best) ? Status::valid : Status::not_found) << seed;
    if (found.status != Status::valid) continue;
    ++found_any;
    EXPECT_TRUE(allowed(found.values));
    EXPECT_NEAR(cost_of(c, found.values), all.best, 1e-9) << seed;
  }
  EXPECT_GT(found_any, 30);
}

TEST(ExactLimits, fewest_changes_come_first_and_threads_do_not_matter) {
  Pool one(1), two(2);
  std::uint64_t seed = 3000;
  for (int i = 0; i < 40; ++i) {
    const TreeCase c = stepped_case(seed, 1);
    const std::vector<Row> rows(6, c.instance);
    ExactOptions options{.max_changes = 3};
    std::vector<Found> a(rows.size()), b(rows.size());
    exact_rows({c.ensemble, c.space, c.writing, options}, rows, a, one);
    exact_rows({c.ensemble, c.space, c.writing, options}, rows, b, two);
    for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(a[k].values, b[k].values);
    for (int m = 1; m <= 3 && a[0].status == Status::valid; ++m) {
      Enumeration all{c, 1, [](const auto&) { return true; }};
      std::vector<double> row = c.instance.values;
      all.run(row, 0, m);
      if (std::isinf(all.best)) continue;
      EXPECT_EQ(a[0].support.size(), static_cast<std::size_t>(m));
      EXPECT_NEAR(cost_of(c, a[0].values), all.best, 1e-9);
      break;
    }
  }
}

// Whether some split sees each change: one that none sees makes no other answer.
bool is_seen(const TreeCase& c, const std::vector<double>& row) {
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (row[f] == c.instance.values[f]) continue;
    std::vector<double> one = c.instance.values, from(c.space.inputs()), to(from);
    c.space.to_inputs(one, from);
    one[f] = row[f];
    c.space.to_inputs(one, to);
    if (std::ranges::none_of(c.ensemble.nodes, [&](const Ensemble::Node& node) {
          return node.split != Ensemble::Split::leaf &&
                 c.ensemble.goes_left(node, from[node.input]) != c.ensemble.goes_left(node, to[node.input]);
        }))
      return false;
  }
  return true;
}

TEST(ExactLimits, other_supports_and_more_margin_are_granted_at_the_least_cost) {
  Pool pool(1);
  std::uint64_t seed = 4000;
  int found_any = 0;
  for (int i = 0; i < 100; ++i) {
    TreeCase c = stepped_case(seed, 1);
    ExactOptions options{.max_changes = 2, .fewest_first = false};
    Found first, second;
    exact_rows({c.ensemble, c.space, c.writing, options}, {&c.instance, 1}, {&first, 1}, pool);
    if (first.status != Status::valid) continue;
    c.instance.demand.taken_supports.push_back(first.support);
    c.instance.required += 0.1;
    exact_rows({c.ensemble, c.space, c.writing, options}, {&c.instance, 1}, {&second, 1}, pool);
    const auto granted = [&](const auto& row) {
      return margin_of(c, row, 1) >= 0.1001 && !c.instance.rejects(row);
    };
    Enumeration any{c, 1, granted};
    Enumeration seen{c, 1, [&](const auto& row) { return granted(row) && is_seen(c, row); }};
    std::vector<double> row = c.instance.values;
    any.run(row, 0, 2);
    seen.run(row, 0, 2);
    EXPECT_TRUE(second.proven);
    if (second.status != Status::valid) {
      EXPECT_TRUE(std::isinf(seen.best)) << seed;
      continue;
    }
    ++found_any;
    EXPECT_TRUE(granted(second.values)) << seed;
    EXPECT_LE(cost_of(c, second.values), seen.best + 1e-9) << seed;
    EXPECT_GE(cost_of(c, second.values), any.best - 1e-9) << seed;
  }
  EXPECT_GT(found_any, 20);
}

TEST(ExactLimits, without_time_nothing_is_claimed) {
  Pool pool(1);
  std::uint64_t seed = 5000;
  const TreeCase c = stepped_case(seed, 1);
  ExactOptions options;
  Found found;
  ExactJob job{c.ensemble, c.space, c.writing, options};
  job.deadline = std::chrono::steady_clock::now();
  exact_rows(job, {&c.instance, 1}, {&found, 1}, pool);
  EXPECT_EQ(found.status, Status::time_limit);
  EXPECT_FALSE(found.proven);
  EXPECT_TRUE(found.timed_out);
  EXPECT_GT(found.lower_bound, 0);
  EXPECT_TRUE(std::isfinite(found.lower_bound));
}

TEST(ExactLimits, more_features_than_it_can_name_are_an_error) {
  const std::size_t d = 65536;
  const Space space(Scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)});
  const Writing writing{std::vector<double>(d, 1.0)};
  const Ensemble ensemble;
  const ExactOptions options;
  EXPECT_THROW(ExactSolver({ensemble, space, writing, options}), Error);
}

}  // namespace
}  // namespace scfe
