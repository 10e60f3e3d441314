// Compares Winograd's tiles of 2x2 and 4x4 outputs with the definition of a convolution.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

// The rows of G for tiles of side x side outputs.
std::vector<std::vector<double>> winograd_points(std::size_t side) {
  if (side == 2) return {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
  std::vector<std::vector<double>> rows;
  const std::vector<double> points = {0, kernel::winograd_near, -kernel::winograd_near, kernel::winograd_far,
                                      -kernel::winograd_far};
  for (const double p : points) {
    double scale = 1;
    for (const double q : points) scale *= q == p ? 1 : p - q;
    rows.push_back({1 / scale, p / scale, p * p / scale});
  }
  rows.push_back({0, 0, 1});
  return rows;
}

struct TileCase {
  std::size_t side, channels;
  bool relu, pooled;
};

// One tile, which starts at the second column of the image; every channel is convolved with w.
class Tile {
 public:
  Tile(const kernel::Kernels& set, const TileCase& c, Random& random)
      : set_(set),
        c_(c),
        wide_(c.side + 3),
        w_(random.floats(9, -1, 1)),
        bias_(random.floats(c.channels, -1, 1)) {
    const std::size_t in = c.side + 2, products = in * in;
    x_ = random.floats(in * wide_ * c.channels, -1, 1);
    products_.resize(products * c.channels);
    const auto first = static_cast<std::int32_t>(c.channels);
    set.winograd_in({c.side, c.channels, 1, c.channels, &first, wide_ * c.channels, nullptr, nullptr},
                    x_.data(), products_.data());
    const auto g = winograd_points(c.side);
    for (std::size_t k = 0; k < products; ++k) {
      double u = 0;
      for (std::size_t i = 0; i < 9; ++i) u += g[k / in][i / 3] * g[k % in][i % 3] * w_[i];
      for (std::size_t o = 0; o < c.channels; ++o) products_[k * c.channels + o] *= static_cast<float>(u);
    }
  }

  double exact(std::size_t row, std::size_t column, std::size_t channel) const {
    double sum = bias_[channel];
    for (std::size_t i = 0; i < 9; ++i)
      sum += double{w_[i]} * x_[((row + i / 3) * wide_ + 1 + column + i % 3) * c_.channels + channel];
    return sum;
  }
  double largest(std::size_t row, std::size_t column, std::size_t channel) const {
    double best = -1e30;
    for (std::size_t t = 0; t < kernel::pooled_taps; ++t)
      best = std::max(best, exact(2 * row + t / 2, 2 * column + t % 2, channel));
    return best;
  }

  // `cut` rows of the tile lie outside of the image.
  void check(std::size_t cut) const {
    const std::size_t steps = c_.pooled ? c_.side / 2 : c_.side;
    const auto rows = static_cast<std::uint8_t>(steps - cut), columns = static_cast<std::uint8_t>(steps);
    const std::int32_t start = 0;
    std::vector<float> y(steps * steps * c_.channels, 9.0F);
    std::vector<std::uint8_t> code(y.size(), 99);
    set_.winograd_out({c_.side, c_.channels, 1, c_.channels, &start, steps * c_.channels, &rows, &columns},
                      products_.data(), {bias_.data(), c_.relu, c_.pooled ? code.data() : nullptr, &start},
                      y.data());
    for (std::size_t k = 0; k < y.size(); ++k) {
      const std::size_t p = k / c_.channels, o = k % c_.channels, row = p / steps, column = p % steps;
      if (row >= rows) {
        EXPECT_EQ(y[k], 9.0F) << "wrote where the tile is cut off";
        continue;
      }
      const double all = c_.pooled ? largest(row, column, o) : exact(row, column, o);
      EXPECT_NEAR(y[k], c_.relu ? std::max(all, 0.0) : all, 2e-5)
          << set_.name << ' ' << c_.side << ' ' << c_.pooled;
      if (!c_.pooled) continue;
      EXPECT_EQ(code[k] == kernel::pooled_taps, c_.relu && !(y[k] > 0));
      if (code[k] < kernel::pooled_taps) {
        EXPECT_NEAR(exact(2 * row + code[k] / 2, 2 * column + code[k] % 2, o), all, 2e-5);
      }
    }
  }

 private:
  const kernel::Kernels& set_;
  TileCase c_;
  std::size_t wide_;
  std::vector<float> w_, bias_, x_, products_;
};

TEST(Winograd, tiles_are_a_convolution) {
  Random random(6);
  for (const auto* set : kernel_sets())
    for (const std::size_t side : {2, 4})
      for (const std::size_t channels : {8, 24})
        for (const bool relu : {false, true})
          for (const bool pooled : {false, true}) {
            const Tile tile(*set, {side, channels, relu, pooled}, random);
            tile.check(0);
            if (!pooled || side == 4) tile.check(1);
          }
}

// Tile counts that are no multiple of six, channels that do not fill a panel, and planes with a gap.
TEST(Winograd, products_are_sums_over_the_channels) {
  Random random(9);
  constexpr std::size_t width = kernel::panel_width, gap = 16, side = 2;
  for (const auto* set : kernel_sets())
    for (const std::size_t in : {8, 24})
      for (const std::size_t out : {8, 16, 40})
        for (const std::size_t tiles : {1, 5, 6, 13}) {
          const std::size_t products = kernel::winograd_products(side), panels = kernel::panels_of(out);
          const std::size_t v_plane = tiles * in + gap, m_plane = tiles * out + gap;
          const auto weight = random.floats(products * panels * in * width, -1, 1);
          const auto v = random.floats(products * v_plane, -1, 1);
          std::vector<float> m(products * m_plane, 9.0F);
          set->winograd_multiply({side, in, out, tiles, weight.data(), v_plane, m_plane}, v.data(), m.data());
          for (std::size_t k = 0; k < products; ++k) {
            for (std::size_t i = 0; i < gap; ++i)
              ASSERT_EQ(m[k * m_plane + tiles * out + i], 9.0F) << "wrote between the planes";
            for (std::size_t t = 0; t < tiles; ++t)
              for (std::size_t o = 0; o < out; ++o) {
                double sum = 0;
                for (std::size_t c = 0; c < in; ++c)
                  sum += double{v[k * v_plane + t * in + c]} *
                         weight[((k * panels + o / width) * in + c) * width + o % width];
                ASSERT_NEAR(m[k * m_plane + t * out + o], sum, 1e-5)
                    << set->name << ' ' << out << ' ' << tiles;
              }
          }
        }
}

}  // namespace
}  // namespace scfe::test
