// The loops over images against plain double-precision ones: odd sizes, tails, strides, several images.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

using kernel::panel_width;

struct Shape {
  std::size_t out, terms, pixels, images;
};

TEST(Convolution, sweep_matches_a_double_loop) {
  Random random(3);
  std::vector<Shape> shapes;
  for (const std::size_t out : {1, 3, 8, 15, 16, 17, 33, 64})
    for (const std::size_t terms : {0, 1, 9, 40})
      for (const std::size_t pixels : {1, 5, 6, 13}) shapes.push_back({out, terms, pixels, 1 + pixels % 3});
  for (const auto* set : kernel_sets())
    for (const Shape& s : shapes)
      for (const bool relu : {false, true}) {
        const std::size_t panels = kernel::panels_of(s.out), room = 50 + 7 * s.pixels;
        const auto weight = random.floats(panels * s.terms * panel_width, -1, 1);
        const auto bias = random.floats(panels * panel_width, -1, 1);
        const auto x = random.floats(room * s.images, -1, 1);
        std::vector<std::int32_t> at(s.terms), source(s.pixels), target(s.pixels);
        for (auto& offset : at) offset = static_cast<std::int32_t>(random.below(50));
        for (std::size_t p = 0; p < s.pixels; ++p) {
          source[p] = static_cast<std::int32_t>(7 * p);
          target[p] = static_cast<std::int32_t>((s.pixels - 1 - p) * s.out);
        }
        std::vector<float> y(s.images * s.pixels * s.out + 1, 7.0F);
        set->sweep({s.out, s.terms, at.data(), weight.data(), bias.data(), s.pixels, source.data(),
                    target.data(), relu},
                   {x.data(), y.data(), room, s.pixels * s.out, s.images});
        EXPECT_EQ(y.back(), 7.0F) << "wrote past the last pixel";
        for (std::size_t i = 0; i < s.images; ++i)
          for (std::size_t p = 0; p < s.pixels; ++p)
            for (std::size_t o = 0; o < s.out; ++o) {
              double want = bias[o], size = 1;
              for (std::size_t k = 0; k < s.terms; ++k) {
                const std::size_t from = i * room + static_cast<std::size_t>(source[p] + at[k]);
                const double term =
                    double{weight[((o / panel_width) * s.terms + k) * panel_width + o % panel_width]} *
                    x[from];
                want += term;
                size += std::abs(term);
              }
              if (relu) want = std::max(want, 0.0);
              ASSERT_NEAR(y[i * s.pixels * s.out + static_cast<std::size_t>(target[p]) + o], want,
                          6e-7 * size)
                  << set->name << " out " << s.out << " terms " << s.terms << " pixels " << s.pixels;
            }
      }
}

TEST(Convolution, gather_adds_the_rows_that_are_named) {
  Random random(4);
  for (const auto* set : kernel_sets())
    for (const std::size_t length : {8, 16, 24, 40, 96, 104, 200})
      for (const std::size_t count : {0, 1, 2, 7, 16}) {
        const auto weight = random.floats(20 * length, -1, 1), g = random.floats(count, -1, 1);
        std::vector<std::int32_t> at(count);
        for (auto& offset : at) offset = static_cast<std::int32_t>(random.below(20) * length);
        const auto before = random.floats(length + 1, -1, 1);
        auto y = before;
        set->gather({length, count, at.data(), g.data(), weight.data()}, y.data());
        EXPECT_EQ(y.back(), before.back()) << "wrote past the row";
        for (std::size_t k = 0; k < length; ++k) {
          double want = before[k];
          for (std::size_t n = 0; n < count; ++n)
            want += double{g[n]} * weight[static_cast<std::size_t>(at[n]) + k];
          ASSERT_NEAR(y[k], want, 1e-5) << set->name << ' ' << length << ' ' << count;
        }
      }
}

TEST(Convolution, max_pool_names_the_first_of_the_largest) {
  Random random(5);
  for (const auto* set : kernel_sets())
    for (const std::size_t channels : {1, 3, 4, 7, 8, 9, 16, 21})
      for (const bool relu : {false, true}) {
        constexpr std::size_t pixels = 5, taps = 4, inputs = 9;
        auto x = random.floats(inputs * channels, -1, 1);
        for (float& value : x) value = std::round(value * 3) / 3;  // ties
        std::vector<std::int32_t> source;
        for (std::size_t i = 0; i < pixels * taps; ++i)
          source.push_back(i % taps != 0 && random.below(4) == 0
                               ? -1
                               : static_cast<std::int32_t>(random.below(inputs) * channels));
        std::vector<float> y(pixels * channels);
        std::vector<std::uint8_t> code(pixels * channels);
        set->max_pool({channels, pixels, taps, source.data(), relu}, x.data(), y.data(), code.data());
        for (std::size_t p = 0; p < pixels; ++p)
          for (std::size_t c = 0; c < channels; ++c) {
            std::size_t first = taps;
            float best = 0;
            for (std::size_t t = 0; t < taps; ++t) {
              if (source[p * taps + t] < 0) continue;
              const float value = x[static_cast<std::size_t>(source[p * taps + t]) + c];
              if (first == taps || value > best) best = value, first = t;
            }
            if (relu && !(best > 0)) best = 0, first = taps;
            EXPECT_EQ(y[p * channels + c], best) << set->name << ' ' << channels;
            EXPECT_EQ(code[p * channels + c], first) << set->name << ' ' << channels;
          }
      }
}

// The tile's 2x2 outputs for one input and one output channel, by the definition.
TEST(Convolution, winograd_is_a_convolution) {
  Random random(6);
  for (const auto* set : kernel_sets())
    for (const std::size_t channels : {8, 24}) {
      const auto x = random.floats(4 * 5 * channels, -1, 1);
      const std::int32_t first = static_cast<std::int32_t>(channels), start = 0;  // the tile's second column
      std::vector<float> v(16 * channels), y(4 * channels);
      set->winograd_in({channels, 1, &first, 5 * channels, nullptr, nullptr}, x.data(), v.data());
      const auto w = random.floats(9, -1, 1), bias = random.floats(channels, -1, 1);
      const double g[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
      for (std::size_t k = 0; k < 16; ++k) {
        double u = 0;
        for (std::size_t i = 0; i < 9; ++i) u += g[k / 4][i / 3] * g[k % 4][i % 3] * w[i];
        for (std::size_t c = 0; c < channels; ++c) v[k * channels + c] *= static_cast<float>(u);
      }
      set->winograd_out({channels, 1, &start, 2 * channels, nullptr, nullptr}, v.data(), bias.data(), false,
                        y.data());
      for (std::size_t p = 0; p < 4; ++p)
        for (std::size_t c = 0; c < channels; ++c) {
          double want = bias[c];
          for (std::size_t i = 0; i < 9; ++i)
            want += double{w[i]} * x[((p / 2 + i / 3) * 5 + 1 + p % 2 + i % 3) * channels + c];
          EXPECT_NEAR(y[p * channels + c], want, 1e-5) << set->name;
        }
    }
}

}  // namespace
}  // namespace scfe::test
