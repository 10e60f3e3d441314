// Compares the operators that count changes (l0, top_m) with brute force over all subsets of groups, d <= 8.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernel/rows_of.h"
#include "scfe/error.h"
#include "sparsity/prox.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

struct Problem {
  std::vector<int> group;  // of each column; empty: each column is its own group
  Block v, w;
  Box box;
  float step = 1;
  std::size_t features() const { return v.features(); }
  int number(std::size_t j) const { return group.empty() ? static_cast<int>(j) : group[j]; }
};

// Half of the problems have values on a coarse lattice, which gives many ties.
Problem random_problem(Uniform& uniform) {
  const auto d = static_cast<std::size_t>(uniform.integer(1, 8));
  Problem p{{}, Block(d, 1), Block(d, 1), {Block(d, 1), Block(d, 1)}, static_cast<float>(uniform(0.1, 2))};
  const bool lattice = uniform.chance(0.5), grouped = uniform.chance(0.5);
  const auto draw = [&](double lo, double hi) {
    return static_cast<float>(lattice
                                  ? uniform.integer(static_cast<int>(4 * lo), static_cast<int>(4 * hi)) / 4.0
                                  : uniform(lo, hi));
  };
  for (std::size_t j = 0; j < d; ++j) {
    p.v[j][0] = draw(-2, 2);
    p.box.lo[j][0] = uniform.chance(0.2) ? 0 : draw(-1, 0);
    p.box.hi[j][0] = uniform.chance(0.2) ? 0 : draw(0, 1);
    if (grouped) p.group.push_back(uniform.integer(10, 13));
  }
  return p;
}

struct Answer {
  double cost = std::numeric_limits<double>::infinity();
  int changes = 0;
};

// The minimum over sets of groups of  sum over their columns of (z - v)² - v²  +  price(number of groups).
template <class Price>
Answer best_subset(const Problem& p, Price price) {
  std::vector<int> numbers;
  for (std::size_t j = 0; j < p.features(); ++j)
    if (std::find(numbers.begin(), numbers.end(), p.number(j)) == numbers.end())
      numbers.push_back(p.number(j));
  Answer best;
  for (unsigned set = 0; set < 1U << numbers.size(); ++set) {
    Answer answer{0, 0};
    for (std::size_t g = 0; g < numbers.size(); ++g) {
      if ((set >> g & 1U) == 0) continue;
      ++answer.changes;
      for (std::size_t j = 0; j < p.features(); ++j) {
        if (p.number(j) != numbers[g]) continue;
        const double v = p.v[j][0], z = std::clamp(v, double{p.box.lo[j][0]}, double{p.box.hi[j][0]});
        answer.cost += (z - v) * (z - v) - v * v;
      }
    }
    answer.cost += price(answer.changes);
    const bool tie = answer.cost == best.cost;
    if (answer.cost < best.cost || (tie && answer.changes < best.changes)) best = answer;
  }
  return best;
}

Answer measured(const Problem& p) {
  Answer answer{0, 0};
  std::vector<int> moved;
  for (std::size_t j = 0; j < p.features(); ++j) {
    const double v = p.v[j][0], w = p.w[j][0];
    answer.cost += (w - v) * (w - v) - v * v;
    if (w != 0 && std::find(moved.begin(), moved.end(), p.number(j)) == moved.end())
      moved.push_back(p.number(j));
  }
  answer.changes = static_cast<int>(moved.size());
  return answer;
}

TEST(ProxGroups, top_m_is_the_best_of_all_subsets) {
  Uniform uniform(2);
  for (int i = 0; i < 100'000; ++i) {
    Problem p = random_problem(uniform);
    const int m = uniform.integer(1, 8);
    make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = m, .group = p.group})
        ->prox(p.v, &p.step, p.box, p.w);
    const Answer best = best_subset(
        p, [&](int changes) { return changes <= m ? 0 : std::numeric_limits<double>::infinity(); });
    const Answer got = measured(p);
    ASSERT_LE(got.changes, m);
    ASSERT_NEAR(got.cost, best.cost, 1e-12) << i;
    ASSERT_LE(got.changes, best.changes) << i << ": a gain of 0 is not a change";
  }
}

TEST(ProxGroups, l0_is_the_best_of_all_subsets) {
  Uniform uniform(3);
  for (int i = 0; i < 100'000; ++i) {
    Problem p = random_problem(uniform);
    const double beta = uniform.chance(0.3) ? 0.25 : uniform(0, 2);
    if (beta == 0.25) p.step = 0.5;  // 2 beta step = 1/4: ties on the lattice
    make_prox(SparsityKind::l0, {.beta = beta, .max_changes = 0, .group = p.group})
        ->prox(p.v, &p.step, p.box, p.w);
    const double paid = 2 * beta * p.step;
    const Answer best = best_subset(p, [&](int changes) { return paid * changes; });
    const Answer got = measured(p);
    ASSERT_NEAR(got.cost + paid * got.changes, best.cost, 1e-12) << i;
    if (beta == 0.25) {
      ASSERT_LE(got.changes, best.changes) << i << ": a tie goes to the sparser";
    }
  }
}

std::vector<float> column(const Block& block, std::size_t lane) {
  std::vector<float> values;
  for (std::size_t j = 0; j < block.features(); ++j) values.push_back(block[j][lane]);
  return values;
}

TEST(ProxGroups, top_m_ties_go_to_the_earlier_column_and_largest_gain_is_not_largest_move) {
  Block v(3, 2), w(3, 2);
  Box box{Block(3, 2), Block(3, 2)};
  const float values[2][3] = {{1, -1, 1}, {3, 1, -0.5F}}, bound[2][3] = {{2, 2, 2}, {0.1F, 2, 2}};
  for (std::size_t lane = 0; lane < 2; ++lane)
    for (std::size_t j = 0; j < 3; ++j) {
      v[j][lane] = values[lane][j];
      box.hi[j][lane] = bound[lane][j];
      box.lo[j][lane] = -bound[lane][j];
    }
  const float step[2] = {1, 1};
  make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 2, .group = {}})->prox(v, step, box, w);
  EXPECT_EQ(column(w, 0), (std::vector<float>{1, -1, 0}));
  EXPECT_EQ(column(w, 1), (std::vector<float>{0.1F, 1, 0}));  // gains .59, 1, .25
  make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 1, .group = {}})->prox(v, step, box, w);
  EXPECT_EQ(column(w, 0), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(column(w, 1), (std::vector<float>{0, 1, 0}));
  make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 1, .group = {7, 5, 7}})->prox(v, step, box, w);
  EXPECT_EQ(column(w, 0), (std::vector<float>{1, 0, 1}));
}

// Above 2^24 the square of a float does not resolve a change of 1; the gains must still differ.
TEST(ProxGroups, top_m_tells_gains_apart_at_huge_steps) {
  Block v(2, 1), w(2, 1);
  Box box{Block(2, 1), Block(2, 1)};
  v[0][0] = 1e20F, v[1][0] = 1e20F;
  box.hi[0][0] = 0.5F, box.hi[1][0] = 0.75F;
  const float step = 1e20F;
  make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 1, .group = {}})->prox(v, &step, box, w);
  EXPECT_EQ(column(w, 0), (std::vector<float>{0, 0.75F}));
}

TEST(ProxGroups, a_lane_does_not_see_its_neighbours) {
  Uniform uniform(4);
  constexpr std::size_t d = 6, lanes = 37;
  Block v(d, lanes), w(d, lanes), one(d, 1), alone(d, 1);
  Box box{Block(d, lanes), Block(d, lanes)}, own{Block(d, 1), Block(d, 1)};
  std::vector<float> step(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    step[lane] = static_cast<float>(uniform(0.1, 1));
    for (std::size_t j = 0; j < d; ++j) {
      v[j][lane] = static_cast<float>(uniform(-1, 1));
      box.lo[j][lane] = static_cast<float>(uniform(-1, 0));
      box.hi[j][lane] = static_cast<float>(uniform(0, 1));
    }
  }
  for (const ProxRow& row : prox_catalogue()) {
    const auto prox = row.make({.beta = 0.1, .max_changes = 2, .group = {1, 1, 2, 3, 4, 4}});
    prox->prox(v, step.data(), box, w);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t j = 0; j < d; ++j) {
        one[j][0] = v[j][lane];
        own.lo[j][0] = box.lo[j][lane];
        own.hi[j][0] = box.hi[j][lane];
      }
      prox->prox(one, &step[lane], own, alone);
      EXPECT_EQ(column(alone, 0), column(w, lane)) << row.name;
    }
  }
}

// The fused step makes at most m changes, gives the same bits and reports non-finite values.
TEST(ProxGroups, descend_is_prox_after_a_step) {
  Uniform uniform(5);
  constexpr std::size_t d = 12, lanes = 37;
  Block z(d, lanes), gradient(d, lanes), v(d, lanes), want(d, lanes), w(d, lanes), shifted(d, lanes);
  Box box{Block(d, lanes), Block(d, lanes)};
  std::vector<float> step(padded(lanes)), value(padded(lanes)), doubt(padded(lanes));
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    step[lane] = static_cast<float>(uniform(0.1, 1));
    for (std::size_t j = 0; j < d; ++j) {
      z[j][lane] = static_cast<float>(uniform(-1, 1));
      gradient[j][lane] = static_cast<float>(uniform(-1, 1));
      box.lo[j][lane] = static_cast<float>(uniform(-1, 0));
      box.hi[j][lane] = static_cast<float>(uniform(0, 1));
    }
  }
  const kernel::Descent descent{d,           kernel::read_only(z), kernel::read_only(gradient),
                                step.data(), value.data(),         doubt.data()};
  kernel::kernels().descend(descent, kernel::rows_of(v), v.padded_lanes());
  for (const ProxRow& row : prox_catalogue())
    for (const int most : {1, 2, 8, 9})
      for (const std::vector<int>& group : {std::vector<int>{}, {1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10}}) {
        const auto prox = row.make({.beta = 0.1, .max_changes = most, .group = group});
        prox->prox(v, step.data(), box, want);
        EXPECT_FALSE(prox->descend(descent, box, shifted, w)) << row.name;
        for (std::size_t lane = 0; lane < lanes; ++lane)
          EXPECT_EQ(column(w, lane), column(want, lane)) << row.name << " m " << most;
        value[5] = INFINITY;
        gradient[3][20] = NAN;
        EXPECT_TRUE(prox->descend(descent, box, shifted, w)) << row.name;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          EXPECT_EQ(doubt[lane] == 0, lane != 5 && lane != 20) << row.name;
          if (lane != 20) EXPECT_EQ(column(w, lane), column(want, lane)) << row.name << " m " << most;
        }
        value[5] = 0;
        gradient[3][20] = (z[3][20] - v[3][20]) / step[20];
        kernel::kernels().descend(descent, kernel::rows_of(v), v.padded_lanes());
      }
}

TEST(ProxGroups, value_counts_groups) {
  Block w(3, 3);
  w[0][1] = 0.5F, w[1][1] = -0.5F;         // lane 1: one group of two columns
  w[0][2] = 1, w[1][2] = 1, w[2][2] = -4;  // lane 2: both groups
  float value[3];
  make_prox(SparsityKind::l0, {.beta = 2, .max_changes = 0, .group = {0, 0, 1}})->value(w, value);
  EXPECT_EQ((std::vector<float>{value[0], value[1], value[2]}), (std::vector<float>{0, 2, 4}));
  make_prox(SparsityKind::top_m, {.beta = 2, .max_changes = 1, .group = {0, 0, 1}})->value(w, value);
  EXPECT_EQ((std::vector<float>{value[0], value[1], value[2]}), (std::vector<float>{0, 0, INFINITY}));
  make_prox(SparsityKind::l1, {.beta = 2, .max_changes = 0, .group = {}})->value(w, value);
  EXPECT_EQ((std::vector<float>{value[0], value[1], value[2]}), (std::vector<float>{0, 2, 12}));
  make_prox(SparsityKind::l_half, {.beta = 2, .max_changes = 0, .group = {}})->value(w, value);
  EXPECT_FLOAT_EQ(value[2], 8);
  make_prox(SparsityKind::l_two_thirds, {.beta = 1, .max_changes = 0, .group = {}})->value(w, value);
  EXPECT_FLOAT_EQ(value[2], 2 + static_cast<float>(std::cbrt(16.0)));
  make_prox(SparsityKind::none, {})->value(w, value);
  EXPECT_EQ(value[2], 0);
}

TEST(ProxGroups, bad_input_is_named) {
  EXPECT_THROW(make_prox(SparsityKind::l1, {.beta = -1, .max_changes = 0, .group = {}}), Error);
  EXPECT_THROW(make_prox(SparsityKind::l_half, {.beta = NAN, .max_changes = 0, .group = {}}), Error);
  EXPECT_THROW(make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 0, .group = {}}), Error);
}

}  // namespace
}  // namespace scfe
