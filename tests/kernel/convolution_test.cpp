// Compares the loops over images with plain loops in double: odd sizes, tails, strides, several images.
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

// The reference is the sweep without pool, followed by a plain search for the maximum.
TEST(Convolution, pooled_sweep_is_a_sweep_and_a_pool) {
  Random random(7);
  constexpr std::size_t windows = 5, taps = kernel::pooled_taps, pixels = windows * taps, terms = 11;
  for (const auto* set : kernel_sets())
    for (const std::size_t out : {1, 7, 8, 16, 19, 32, 40})
      for (const bool relu : {false, true}) {
        const std::size_t panels = kernel::panels_of(out);
        const auto weight = random.floats(panels * terms * panel_width, -1, 1);
        const auto bias = random.floats(panels * panel_width, -1, 0);
        const auto x = random.floats(200, -1, 1);
        std::vector<std::int32_t> at(terms), source(pixels), target(pixels);
        for (auto& offset : at) offset = static_cast<std::int32_t>(random.below(50));
        for (auto& offset : source) offset = static_cast<std::int32_t>(random.below(150));
        for (std::size_t p = 0; p < pixels; ++p) target[p] = static_cast<std::int32_t>(p * out);
        std::vector<float> all(pixels * out), y(windows * out + 1, 7.0F);
        std::vector<std::uint8_t> code(windows * out + 1, 99);
        set->sweep(
            {out, terms, at.data(), weight.data(), bias.data(), pixels, source.data(), target.data(), false},
            {x.data(), all.data(), 0, 0, 1});
        set->pooled_sweep(
            {out, terms, at.data(), weight.data(), bias.data(), pixels, source.data(), target.data(), relu},
            x.data(), y.data(), code.data());
        EXPECT_EQ(y.back(), 7.0F) << "wrote past the last window";
        EXPECT_EQ(code.back(), 99) << "wrote past the last window";
        for (std::size_t w = 0; w < windows; ++w)
          for (std::size_t o = 0; o < out; ++o) {
            std::size_t first = 0;
            for (std::size_t t = 1; t < taps; ++t)
              if (all[(w * taps + t) * out + o] > all[(w * taps + first) * out + o]) first = t;
            float best = all[(w * taps + first) * out + o];
            if (relu && !(best > 0)) best = 0, first = taps;
            EXPECT_EQ(y[w * out + o], best) << set->name << ' ' << out;
            EXPECT_EQ(code[w * out + o], first) << set->name << ' ' << out;
          }
      }
}

TEST(Convolution, gather_adds_the_rows_that_are_named) {
  Random random(4);
  for (const auto* set : kernel_sets())
    for (const std::size_t length : {8, 16, 24, 40, 96, 104, 200}) {
      const auto weight = random.floats(20 * length, -1, 1);
      std::vector<std::vector<kernel::Entry>> lists;
      std::vector<kernel::GatherTarget> targets;
      for (const std::size_t count : {0, 1, 2, 7, 16}) {
        std::vector<kernel::Entry> list(count);
        for (auto& entry : list)
          entry = {random.floats(1, -1, 1)[0], static_cast<std::int32_t>(random.below(20) * length)};
        lists.push_back(list);
      }
      for (std::size_t i = 0; i < lists.size(); ++i)  // some overlap
        targets.push_back({lists[i].data(), static_cast<std::uint32_t>(lists[i].size()),
                           static_cast<std::int32_t>(i * length / 2)});
      const std::size_t room = (lists.size() + 1) * length / 2;
      const auto before = random.floats(room + 1, -1, 1);
      auto y = before;
      set->gather({length, weight.data(), targets.size(), targets.data()}, y.data());
      EXPECT_EQ(y.back(), before.back()) << "wrote past the row";
      std::vector<double> want(before.begin(), before.end());
      for (std::size_t i = 0; i < lists.size(); ++i)
        for (const auto& entry : lists[i])
          for (std::size_t k = 0; k < length; ++k)
            want[i * length / 2 + k] += double{entry.g} * weight[static_cast<std::size_t>(entry.at) + k];
      for (std::size_t k = 0; k < room; ++k) ASSERT_NEAR(y[k], want[k], 1e-5) << set->name << ' ' << length;
    }
}

TEST(Convolution, patches_add_the_weights_of_the_taps_that_are_named) {
  Random random(8);
  struct Case {
    std::size_t channels, lines, line;
  };
  for (const auto* set : kernel_sets())
    for (const Case& c : {Case{1, 4, 4}, Case{5, 3, 5}, Case{32, 4, 4}, Case{7, 1, 9}, Case{6, 5, 12}}) {
      const std::size_t size = c.lines * c.line, row = (size + 7) / 8 * 8, windows = 3, taps = 4, step = 2;
      const auto weight = random.floats((taps + 1) * c.channels * row, -1, 1);
      const auto dy = random.floats(windows * c.channels, -1, 1);
      std::vector<std::uint8_t> code(dy.size());
      for (auto& tap : code) tap = static_cast<std::uint8_t>(random.below(taps + 1));
      std::vector<std::int32_t> under(windows * step, -1), line_at;
      for (std::size_t w = 0; w < windows; ++w) under[w * step] = static_cast<std::int32_t>(2 * w);
      for (std::size_t l = 0; l < c.lines; ++l)
        line_at.push_back(static_cast<std::int32_t>(l * (c.line + 6)));
      const auto before = random.floats(c.lines * (c.line + 6), -1, 1);
      auto dx = before;
      set->gather_patches(
          {c.channels, windows, row, weight.data(), under.data(), step, c.lines, c.line, line_at.data()},
          dy.data(), code.data(), dx.data());
      std::vector<double> want(before.begin(), before.end());
      for (std::size_t w = 0; w < windows; ++w)
        for (std::size_t o = 0; o < c.channels; ++o)
          for (std::size_t k = 0; k < size; ++k)
            want[static_cast<std::size_t>(under[w * step] + line_at[k / c.line]) + k % c.line] +=
                double{dy[w * c.channels + o]} *
                weight[(code[w * c.channels + o] * c.channels + o) * row + k];
      for (std::size_t k = 0; k < want.size(); ++k)
        ASSERT_NEAR(dx[k], want[k], 2e-5) << set->name << ' ' << c.channels << ' ' << c.line;
    }
}

TEST(Convolution, transpose_swaps_rows_and_columns) {
  Random random(10);
  for (const auto* set : kernel_sets())
    for (const std::size_t rows : {1, 3, 4, 9, 16})
      for (const std::size_t columns : {1, 4, 7, 12}) {
        const std::size_t wide = columns + 2, tall = rows + 3;
        const auto from = random.floats(rows * wide, -1, 1);
        std::vector<float> to(columns * tall, 9.0F);
        set->transpose(rows, columns, {from.data(), wide}, {to.data(), tall});
        for (std::size_t c = 0; c < columns; ++c)
          for (std::size_t r = 0; r < tall; ++r)
            ASSERT_EQ(to[c * tall + r], r < rows ? from[r * wide + c] : 9.0F) << set->name << ' ' << rows;
      }
}

TEST(Convolution, max_pool_names_the_first_of_the_largest) {
  Random random(5);
  for (const auto* set : kernel_sets())
    for (const std::size_t channels : {1, 3, 4, 7, 8, 9, 16, 21})
      for (const bool relu : {false, true}) {
        constexpr std::size_t pixels = 5, taps = 4, inputs = 9;
        auto x = random.floats(inputs * channels, -1, 1);
        for (float& value : x) value = std::round(value * 3) / 3;  // makes ties
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

}  // namespace
}  // namespace scfe::test
