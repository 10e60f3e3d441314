#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernel/coarse.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

constexpr std::size_t together = 16;

struct Totals {
  double value = 0;
  std::vector<double> moment;
};

// What the kernels left, with the peak taken out.
Totals totals(const kernel::PackedSum& sum, std::size_t features) {
  Totals found{0, std::vector<double>(features)};
  for (std::size_t i = 0; i < together; ++i) found.value += sum.total[i] * std::exp(double{sum.peak});
  for (std::size_t j = 0; j < features; ++j)
    for (std::size_t i = 0; i < together; ++i)
      found.moment[j] += sum.moment[j * together + i] * std::exp(double{sum.peak});
  return found;
}

void expect_near(const Totals& found, const Totals& truth, double tolerance) {
  EXPECT_NEAR(found.value, truth.value, tolerance * truth.value);
  for (std::size_t j = 0; j < truth.moment.size(); ++j)
    EXPECT_NEAR(found.moment[j], truth.moment[j], 10 * tolerance * truth.value) << j;
}

TEST(Packed, exponents_and_sums_are_those_of_a_plain_loop) {
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(5);
    for (const std::size_t features : {1, 3, 20, 33}) {
      for (const std::size_t groups : {1, 2, 5}) {
        for (const bool scaled : {false, true}) {
          const std::size_t size = groups * features * together;
          const auto centres = random.floats(size, -1, 1), scales = random.floats(size, 0.3F, 1.5F);
          const auto weights = random.floats(groups * together, -3, 0), x = random.floats(features, -1, 1);
          const kernel::Packed packed{groups, features, centres.data(), scaled ? scales.data() : nullptr,
                                      weights.data()};
          std::vector<float> e(groups * together), total(together), moment(features * together);
          set->packed_exponents(packed, x.data(), e.data());
          kernel::PackedSum sum{-1e30F, total.data(), moment.data()};
          set->packed_sum(packed, x.data(), e.data(), sum);
          Totals truth{0, std::vector<double>(features)};
          for (std::size_t i = 0; i < groups * together; ++i) {
            const auto at = [&](std::size_t j) {
              return (i / together * features + j) * together + i % together;
            };
            const auto scale = [&](std::size_t j) { return scaled ? double{scales[at(j)]} : 1.0; };
            double exponent = weights[i];
            for (std::size_t j = 0; j < features; ++j)
              exponent -= 0.5 * std::pow(scale(j) * (double{x[j]} - centres[at(j)]), 2);
            EXPECT_NEAR(e[i], exponent, 1e-5 * (1 + std::abs(exponent)));
            truth.value += std::exp(exponent);
            for (std::size_t j = 0; j < features; ++j)
              truth.moment[j] += std::exp(exponent) * std::pow(scale(j), 2) * (double{centres[at(j)]} - x[j]);
          }
          expect_near(totals(sum, features), truth, 1e-4);
        }
      }
    }
  }
}

TEST(Packed, halved_rows_are_those_of_a_plain_loop) {
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(6);
    for (const std::size_t features : {1, 4, 20}) {
      for (const std::size_t groups : {1, 2, 3, 4, 7}) {
        std::vector<std::uint32_t> words(groups * features * together / 2);
        std::vector<float> values(groups * features * together);
        const auto drawn = random.floats(values.size(), -2, 2);
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::uint32_t upper = std::bit_cast<std::uint32_t>(drawn[i]) & 0xffff0000U;
          values[i] = std::bit_cast<float>(upper);
          const std::size_t row = i / together, place = i % together;
          words[row * together / 2 + place % 8] |= place < 8 ? upper >> 16 : upper;
        }
        const auto weights = random.floats(groups * together, -5, 0), x = random.floats(features, -2, 2),
                   origin = random.floats(features, -1, 1);
        std::vector<float> total(together), moment(features * together);
        kernel::PackedSum sum{-1e30F, total.data(), moment.data()};
        set->halved_sum({(1U << groups) - 1, features, words.data(), weights.data(), origin.data()}, x.data(),
                        sum);
        Totals truth{0, std::vector<double>(features)};
        for (std::size_t i = 0; i < groups * together; ++i) {
          const auto c = [&](std::size_t j) {
            return double{values[(i / together * features + j) * together + i % together]};
          };
          const auto z = [&](std::size_t j) { return double{x[j]} - origin[j]; };
          double exponent = weights[i];
          for (std::size_t j = 0; j < features; ++j) exponent += c(j) * z(j) - 0.5 * z(j) * z(j);
          truth.value += std::exp(exponent);
          for (std::size_t j = 0; j < features; ++j) truth.moment[j] += std::exp(exponent) * (c(j) - z(j));
        }
        expect_near(totals(sum, features), truth, 1e-4);
      }
    }
  }
}

// A floor leaves out groups that are below it, and changes nothing in the others.
TEST(Packed, floors_leave_out_whole_groups) {
  for (const kernel::Kernels* set : kernel_sets()) {
    constexpr std::size_t groups = 4;
    const std::vector<float> x = {0.0F}, origin = {0.0F}, centres(groups * together, 0.0F);
    const std::vector<std::uint32_t> words(groups * together / 2, 0U);
    std::vector<float> weights(groups * together, -2.0F), total(together), moment(together);
    for (std::size_t i = 0; i < together; ++i) weights[i] = weights[2 * together + i] = -6.0F;
    for (const bool half : {false, true}) {
      std::fill(total.begin(), total.end(), 0.0F);
      kernel::PackedSum sum{-1e30F, total.data(), moment.data(), -5.0F};
      if (half)
        set->halved_sum({(1U << groups) - 1, 1, words.data(), weights.data(), origin.data()}, x.data(), sum);
      else
        set->packed_sum({groups, 1, centres.data(), nullptr, weights.data()}, x.data(), weights.data(), sum);
      EXPECT_NEAR(totals(sum, 1).value, 2 * together * std::exp(-2.0), 1e-4) << set->name << ' ' << half;
    }
  }
}

// Rows as the tree keeps them, in steps of 1/8 and squares in steps of 1/2.
TEST(Packed, a_first_look_finds_the_groups_that_a_plain_loop_finds) {
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(8);
    for (const std::size_t features : {1, 3, 8, 20, 33}) {
      for (const std::size_t groups : {1, 2, 5, 9, 16, 32}) {
        const std::size_t size = kernel::coarse_group_bytes(features),
                          width = kernel::coarse_padded(features);
        const auto drawn = random.floats(groups * together * features, -2, 2);
        auto x = random.floats(width, -2, 2), origin = random.floats(width, -1, 1);
        for (std::size_t j = features; j < width; ++j) x[j] = origin[j] = 0;
        std::vector<std::uint8_t> bytes(groups * size);
        std::vector<double> exponents(groups * together);
        const double square_step = 0.5 * 4 * static_cast<double>(features) / 127;
        for (std::size_t i = 0; i < groups * together; ++i) {
          std::uint8_t* to = bytes.data() + i / together * size + i % together * 2;
          double square = 0;
          for (std::size_t j = 0; j < features; ++j) {
            const double steps = std::round(drawn[i * features + j] * 8), c = steps / 8;
            to[j / 2 * 32 + j % 2] = static_cast<std::uint8_t>(64 + static_cast<int>(steps));
            square += 0.5 * c * c;
            exponents[i] -= 0.5 * std::pow(c - (double{x[j]} - origin[j]), 2);
          }
          to[(features + 1) / 2 * 32] = static_cast<std::uint8_t>(std::round(square / square_step));
        }
        std::vector<std::int16_t> scratch(kernel::coarse_scratch(features));
        const kernel::Coarse rows{
            groups, features, bytes.data(), origin.data(), 0.125F, static_cast<float>(square_step), 0};
        // Rounding z and the square moves an exponent by less than this.
        const double doubt = 0.3 + 0.05 * static_cast<double>(features);
        for (const double floor : {-40.0, -12.0, -6.0, -2.0}) {
          const std::uint32_t found =
              set->coarse_groups(rows, x.data(), static_cast<float>(floor), scratch.data());
          for (std::size_t g = 0; g < groups; ++g) {
            const auto first = exponents.begin() + static_cast<std::ptrdiff_t>(g * together);
            const double best = *std::max_element(first, first + together);
            if (std::abs(best - floor) > doubt)
              EXPECT_EQ((found >> g & 1U) != 0, best > floor)
                  << features << " " << g << " " << best << " " << floor;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace scfe::test
