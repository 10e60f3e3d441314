// One-hot groups and a number, for every operator of the catalogue: no point of a fine grid over shares and
// box costs less than the prox.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sparsity/prox.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

// Column 0 is a number, 1-4 are a group of four levels: the factual's level first, the last not allowed.
constexpr std::size_t columns = 5, own = 1, closed = 4;

struct OneHotCase {
  Block v{columns, 1}, w{columns, 1};
  Box box{Block(columns, 1), Block(columns, 1)};
  float step = 1;
};

OneHotCase random_one_hot(Uniform& uniform) {
  OneHotCase c;
  for (std::size_t j = 0; j < columns; ++j) c.v[j][0] = static_cast<float>(uniform(-1.5, 1.5));
  c.box.lo[0][0] = static_cast<float>(uniform(-1, 0));
  c.box.hi[0][0] = static_cast<float>(uniform(0, 1));
  c.box.lo[own][0] = -1;
  for (std::size_t j = own + 1; j < closed; ++j) c.box.hi[j][0] = 1;
  c.step = static_cast<float>(uniform.logarithmic(0.1, 2));
  return c;
}

// The objective of the prox, times 2 step and without its constant.
double cost(const Prox& prox, const OneHotCase& c, const Block& w) {
  float value = 0;
  prox.value(w, &value);
  double sum = 2.0 * c.step * value;
  for (std::size_t j = 0; j < columns; ++j) sum += w[j][0] * (w[j][0] - 2.0 * c.v[j][0]);
  return sum;
}

double best_of_grid(const Prox& prox, const OneHotCase& c) {
  constexpr int fine = 40;
  double best = 0;
  Block w(columns, 1);
  const auto numbers = {0.0F, c.box.lo[0][0], c.box.hi[0][0]};
  for (int a = 0; a <= fine; ++a)
    for (int b = 0; a + b <= fine; ++b) {
      w[own + 1][0] = static_cast<float>(a) / fine;
      w[own + 2][0] = static_cast<float>(b) / fine;
      w[own][0] = -static_cast<float>(a + b) / fine;
      for (const float x : numbers) w[0][0] = x, best = std::min(best, cost(prox, c, w));
      for (int x = 0; x <= 20; ++x) {
        w[0][0] = c.box.lo[0][0] + (c.box.hi[0][0] - c.box.lo[0][0]) * static_cast<float>(x) / 20;
        best = std::min(best, cost(prox, c, w));
      }
    }
  return best;
}

class ProxOneHot : public testing::TestWithParam<ProxRow> {};

TEST_P(ProxOneHot, no_share_of_levels_is_better) {
  Uniform uniform(7);
  int moved = 0, alone = 0;
  for (int i = 0; i < 300; ++i) {
    OneHotCase c = random_one_hot(uniform);
    const Sparsity sparsity{
        .beta = uniform(0, 0.5), .max_changes = 1, .group = {0, 1, 1, 1, 1}, .one_hot = true};
    const auto prox = GetParam().make(sparsity);
    prox->prox(c.v, &c.step, c.box, c.w);
    double sum = 0;
    for (std::size_t j = own; j < columns; ++j) {
      EXPECT_GE(c.w[j][0], c.box.lo[j][0]);
      EXPECT_LE(c.w[j][0], c.box.hi[j][0]);
      sum += c.w[j][0];
    }
    EXPECT_NEAR(sum, 0, 1e-6) << "what one level loses another gains";
    EXPECT_LE(cost(*prox, c, c.w), best_of_grid(*prox, c) + 1e-5) << i;
    moved += c.w[own][0] < 0;
    alone += c.w[own][0] < 0 && c.w[0][0] == 0;
  }
  EXPECT_GT(moved, 50);
  EXPECT_LT(moved, 300);
  if (GetParam().name == "top_m") EXPECT_EQ(alone, moved) << "the group is the one change";
}

INSTANTIATE_TEST_SUITE_P(catalogue, ProxOneHot,
                         testing::ValuesIn(prox_catalogue().begin(), prox_catalogue().end()),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(ProxOneHotValue, a_whole_change_of_level_pays_as_a_number_over_its_range) {
  Block level(columns, 1), number(columns, 1);
  level[own][0] = -1, level[own + 1][0] = 1, number[0][0] = 1;
  for (const ProxRow& row : prox_catalogue()) {
    const auto prox = row.make({.beta = 0.7, .max_changes = 1, .group = {0, 1, 1, 1, 1}, .one_hot = true});
    float of_level = 0, of_number = 0;
    prox->value(level, &of_level);
    prox->value(number, &of_number);
    EXPECT_FLOAT_EQ(of_level, of_number) << row.name;
  }
}

}  // namespace
}  // namespace scfe
