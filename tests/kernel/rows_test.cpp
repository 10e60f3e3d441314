// Compares the loops over rows with plain loops, for odd numbers of rows and every position of a lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernel/activation.h"
#include "kernel/rows_of.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

using kernel::rows_of, kernel::read_only;

Block random_block(Random& random, std::size_t rows, std::size_t lanes, double from, double to) {
  Block block(rows, lanes);
  for (std::size_t j = 0; j < rows; ++j)
    for (std::size_t l = 0; l < lanes; ++l) block[j][l] = static_cast<float>(random.uniform(from, to));
  return block;
}

// The reference for kernel `largest`: sorts the gains of one lane and keeps the `most` largest.
std::vector<float> largest_by_sorting(const Block& v, const Block& lo, const Block& hi, std::size_t lane,
                                      std::size_t most) {
  std::vector<std::pair<float, std::size_t>> gains;
  std::vector<float> z;
  for (std::size_t j = 0; j < v.features(); ++j) {
    z.push_back(std::fmin(std::fmax(v[j][lane], lo[j][lane]), hi[j][lane]));
    gains.emplace_back(-z[j] * (2 * v[j][lane] - z[j]), j);
  }
  std::sort(gains.begin(), gains.end());
  std::vector<float> kept(z.size(), 0.0F);
  for (std::size_t k = 0; k < std::min(most, z.size()); ++k)
    if (gains[k].first < 0) kept[gains[k].second] = z[gains[k].second];
  return kept;
}

TEST(Largest, keeps_what_sorting_keeps) {
  Random random(5);
  for (const auto* set : kernel_sets())
    for (const std::size_t d : {1, 2, 7, 13, 40})
      for (const std::size_t most : {1, 2, 3, 8, 9, 25, 60}) {
        const std::size_t lanes = 32;
        Block v = random_block(random, d, lanes, -1, 1), w(d, lanes);
        const Block lo = random_block(random, d, lanes, -0.6, 0), hi = random_block(random, d, lanes, 0, 0.6);
        for (std::size_t l = 0; l < lanes; l += 3)  // lanes with ties and with gains of 0
          for (std::size_t j = 0; j < d; ++j) v[j][l] = j % 3 == 0 ? 0.0F : std::copysign(0.25F, v[j][l]);
        set->largest({d, most, rows_of(lo), rows_of(hi)}, read_only(v), rows_of(w), lanes);
        if (most <= kernel::few_changes) {  // the same from z - 0.5 gradient = v
          Block z(d, lanes), gradient(d, lanes), below(d, lanes);
          for (std::size_t j = 0; j < d; ++j)
            for (std::size_t l = 0; l < lanes; ++l) gradient[j][l] = -2 * v[j][l];
          gradient[d - 1][7] = NAN;
          const std::vector<float> half(lanes, 0.5F), value(lanes, 1.0F);
          std::vector<float> doubt(lanes);
          EXPECT_TRUE(set->descend_to_largest(
              {d, read_only(z), read_only(gradient), half.data(), value.data(), doubt.data()},
              {d, most, rows_of(lo), rows_of(hi)}, rows_of(below), lanes));
          for (std::size_t l = 0; l < lanes; ++l) {
            EXPECT_EQ(doubt[l] == 0, l != 7);
            for (std::size_t j = 0; j < d && l != 7; ++j) ASSERT_EQ(below[j][l], w[j][l]);
          }
        }
        for (std::size_t l = 0; l < lanes; ++l) {
          const std::vector<float> want = largest_by_sorting(v, lo, hi, l, most);
          for (std::size_t j = 0; j < d; ++j)
            ASSERT_EQ(w[j][l], want[j])
                << set->name << " d " << d << " most " << most << " lane " << l << " row " << j;
        }
      }
}

TEST(Rows, are_plain_loops) {
  Random random(6);
  for (const auto* set : kernel_sets())
    for (const std::size_t d : {1, 5, 13})
      for (const std::size_t lanes : {lane_step, 3 * lane_step}) {
        const Block a = random_block(random, d, lanes, -2, 2), b = random_block(random, d, lanes, -2, 2);
        const std::vector<float> offset = random.floats(d, -1, 1), scale = random.floats(d, -1, 1);
        Block sum(d, lanes), there(d, lanes), alone(d, lanes), mapped(d, lanes), scaled(d, lanes);
        Block pull(d, lanes);
        std::vector<float> value(lanes), unweighted(lanes), attraction(lanes);
        set->displace(d, rows_of(a), rows_of(b), rows_of(sum), {offset.data(), scale.data(), rows_of(there)},
                      lanes);
        set->displace(d, rows_of(a), rows_of(b), rows_of(alone), {}, lanes);
        set->affine(d, offset.data(), scale.data(), rows_of(a), rows_of(mapped), lanes);
        set->affine(d, nullptr, scale.data(), rows_of(a), rows_of(scaled), lanes);
        set->squares(d, scale.data(), rows_of(a), value.data(), lanes);
        set->squares(d, nullptr, rows_of(a), unweighted.data(), lanes);
        set->attract(d, scale.data(), rows_of(a), rows_of(b), attraction.data(), rows_of(pull), lanes);
        for (std::size_t l = 0; l < lanes; ++l) {
          double square = 0, plain = 0, distance = 0;
          for (std::size_t j = 0; j < d; ++j) {
            const double x = a[j][l];
            EXPECT_EQ(sum[j][l], a[j][l] + b[j][l]);
            EXPECT_EQ(alone[j][l], a[j][l] + b[j][l]);
            EXPECT_NEAR(there[j][l], offset[j] + scale[j] * sum[j][l], 1e-6);
            EXPECT_NEAR(mapped[j][l], offset[j] + scale[j] * x, 1e-6);
            EXPECT_NEAR(scaled[j][l], scale[j] * x, 1e-6);
            EXPECT_NEAR(pull[j][l], 2 * scale[j] * (b[j][l] - x), 1e-6);
            distance += scale[j] * (x - b[j][l]) * (x - b[j][l]);
            square += scale[j] * x * x;
            plain += x * x;
          }
          EXPECT_NEAR(value[l], square, 1e-4);
          EXPECT_NEAR(unweighted[l], plain, 1e-4);
          EXPECT_NEAR(attraction[l], -distance, 1e-4);
        }
      }
}

// Tests every combination of absent terms; an infinite margin gradient must not matter if the pull is 0.
TEST(Rows, slope_is_the_sum_of_the_terms) {
  Random random(8);
  constexpr std::size_t d = 7, lanes = 32;
  for (const auto* set : kernel_sets())
    for (int absent = 0; absent < 16; ++absent) {
      const Block w = random_block(random, d, lanes, -1, 1), density = random_block(random, d, lanes, -1, 1);
      Block margin = random_block(random, d, lanes, -1, 1), gradient(d, lanes);
      const std::vector<float> weight = random.floats(d, 0, 1), scale = random.floats(d, -1, 1);
      std::vector<float> pull = random.floats(lanes, 1, 2);
      for (std::size_t l = 0; l < lanes; l += 3) pull[l] = 0;
      margin[2][3] = INFINITY;
      const bool weighted = (absent & 1) == 0, dense = (absent & 2) == 0, pulls = (absent & 4) == 0,
                 scales = (absent & 8) == 0;
      set->slope({d,
                  weighted ? weight.data() : nullptr,
                  0.3F,
                  dense ? rows_of(density) : kernel::Const{},
                  {pulls ? read_only(margin) : kernel::Const{}, scales ? scale.data() : nullptr},
                  pull.data()},
                 rows_of(w), rows_of(gradient), lanes);
      for (std::size_t j = 0; j < d; ++j)
        for (std::size_t l = 0; l < lanes; ++l) {
          double want = 2 * (weighted ? weight[j] : 1.0) * w[j][l];
          if (dense) want -= 0.3 * density[j][l];
          if (pulls && pull[l] != 0) want += (scales ? scale[j] : 1.0) * margin[j][l];
          EXPECT_NEAR(gradient[j][l], want, 1e-6) << set->name << " absent " << absent;
        }
    }
}

TEST(Rows, steps_of_apg) {
  Random random(7);
  constexpr std::size_t d = 7, lanes = 32;
  for (const auto* set : kernel_sets()) {
    Block z = random_block(random, d, lanes, -1, 1), w = random_block(random, d, lanes, -1, 1), to(d, lanes);
    Block gradient = random_block(random, d, lanes, -1, 1);
    const Block next = random_block(random, d, lanes, -1, 1);
    const std::vector<float> step = random.floats(lanes, 0, 1), alpha = random.floats(lanes, 0, 1);
    gradient[2][3] = NAN;
    gradient[4][20] = INFINITY;
    std::vector<float> doubt(lanes), taken(lanes, 1.0F), moved(lanes);
    std::vector<float> value(lanes, 1.5F);
    value[9] = INFINITY;
    EXPECT_TRUE(set->descend({d, read_only(z), read_only(gradient), step.data(), value.data(), doubt.data()},
                             rows_of(to), lanes));
    value[9] = 0;
    Block elsewhere(d, lanes);
    std::vector<float> none(lanes);
    EXPECT_FALSE(set->descend({d, read_only(z), read_only(next), step.data(), value.data(), none.data()},
                              rows_of(elsewhere), lanes));
    for (std::size_t l = 0; l < lanes; ++l) {
      EXPECT_EQ(doubt[l] == 0, l != 3 && l != 9 && l != 20) << l;
      for (std::size_t j = 0; j < d; ++j)
        if (std::isfinite(gradient[j][l])) {
          EXPECT_NEAR(to[j][l], z[j][l] - step[l] * gradient[j][l], 1e-6);
        }
    }
    taken[5] = 0;
    const float w5 = w[1][5], z5 = z[1][5], w6 = w[1][6], z6 = z[1][6];
    float most = 0;
    for (std::size_t j = 0; j < d; ++j)
      most = std::max({most, std::fabs(next[j][6] - w[j][6]), std::fabs(next[j][6] - z[j][6])});
    set->extrapolate({d, alpha.data(), taken.data(), moved.data()}, rows_of(next), rows_of(w), rows_of(z),
                     lanes);
    EXPECT_EQ(w[1][5], w5);
    EXPECT_EQ(z[1][5], z5);
    EXPECT_EQ(moved[5], 0);
    EXPECT_EQ(w[1][6], next[1][6]);
    EXPECT_NEAR(z[1][6], next[1][6] + alpha[6] * (next[1][6] - w6), 1e-6);
    EXPECT_NE(z[1][6], z6);
    EXPECT_EQ(moved[6], most);
    set->extrapolate({d, alpha.data(), taken.data(), nullptr}, read_only(elsewhere), rows_of(w), rows_of(z),
                     lanes);
    EXPECT_EQ(w[1][6], elsewhere[1][6]);
  }
}

TEST(Linear, a_relu_and_a_gate_end_the_tile) {
  Random random(8);
  constexpr std::size_t in = 11;
  for (const auto* set : kernel_sets())
    for (std::size_t out = 1; out <= 14; ++out)
      for (const std::size_t lanes : {lane_step, 7 * lane_step}) {
        const std::vector<float> weight = random.floats(out * in, -1, 1);
        const Block x = random_block(random, in, lanes, -2, 2),
                    gate = random_block(random, out, lanes, -1, 1);
        Block plain(out, lanes), relu(out, lanes), gated(out, lanes);
        kernel::Linear map{out, in, weight.data(), nullptr, nullptr, kernel::activation_none, 0};
        set->linear(map, rows_of(x), rows_of(plain), lanes);
        map.gate = rows_of(gate);
        set->linear(map, rows_of(x), rows_of(gated), lanes);
        map.gate = {};
        map.activation = kernel::activation_relu;
        set->linear(map, rows_of(x), rows_of(relu), lanes);
        for (std::size_t o = 0; o < out; ++o)
          for (std::size_t l = 0; l < lanes; ++l) {
            ASSERT_EQ(relu[o][l], std::fmax(plain[o][l], 0.0F)) << set->name << " out " << out;
            ASSERT_EQ(gated[o][l], gate[o][l] > 0 ? plain[o][l] : 0.0F) << set->name << " out " << out;
          }
      }
}

}  // namespace
}  // namespace scfe::test
