#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernel/coarse.h"
#include "kernel/listed.h"
#include "tests/kernel/kernel_sets.h"
#include "tests/kernel/random.h"

namespace scfe::test {
namespace {

constexpr std::size_t together = 16;

struct Totals {
  double value = 0;
  std::vector<double> moment;
};

// The sums of the kernels, multiplied by e^peak.
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

double apart(double difference, kernel::Distance distance) {
  return distance == kernel::Distance::absolute ? std::abs(difference) : 0.5 * difference * difference;
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

// A floor leaves out groups that are below it and does not change the others.
TEST(Packed, floors_leave_out_whole_groups) {
  for (const kernel::Kernels* set : kernel_sets()) {
    constexpr std::size_t groups = 4;
    const std::vector<float> x = {0.0F}, centres(groups * together, 0.0F);
    std::vector<float> weights(groups * together, -2.0F), total(together), moment(together);
    for (std::size_t i = 0; i < together; ++i) weights[i] = weights[2 * together + i] = -6.0F;
    kernel::PackedSum sum{-1e30F, total.data(), moment.data(), -5.0F};
    set->packed_sum({groups, 1, centres.data(), nullptr, weights.data()}, x.data(), weights.data(), sum);
    EXPECT_NEAR(totals(sum, 1).value, 2 * together * std::exp(-2.0), 1e-4) << set->name;
  }
}

TEST(Listed, rows_are_those_of_a_plain_loop) {
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(6);
    for (const std::size_t features : {1, 4, 8, 20, 33}) {
      constexpr std::size_t rows = 40, cells = 3;
      const std::size_t width = kernel::listed_width(features);
      std::vector<std::uint16_t> halves(rows * width);
      auto values = random.floats(rows * width, -1, 1), origins = random.floats(cells * width, -1, 1),
           x = random.floats(width, -1, 1);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (i % width >= features) values[i] = x[i % width] = origins[i % (cells * width)] = 0;
        halves[i] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[i]) >> 16);
        values[i] = std::bit_cast<float>(std::uint32_t{halves[i]} << 16);
      }
      std::vector<float> moment(width), scratch(rows + 8);
      kernel::ListedSum sum{-1e30F, 0, moment.data()};
      Totals truth{0, std::vector<double>(features)}, found = truth;
      for (const std::size_t count : {1, 7, 16, 0}) {  // one list after the other
        std::vector<kernel::Listed> list;
        for (std::size_t i = 0; i < count; ++i)
          list.push_back(
              {static_cast<std::uint32_t>((7 * i + count) % rows), static_cast<std::uint32_t>(i % cells)});
        set->listed_sum({width, halves.data(), origins.data()}, list.data(), count, x.data(), sum,
                        scratch.data());
        for (const auto& [row, cell] : list) {
          const auto off = [&](std::size_t j) {
            return double{values[row * width + j]} + origins[cell * width + j] - x[j];
          };
          double exponent = 0;
          for (std::size_t j = 0; j < features; ++j) exponent -= 0.5 * off(j) * off(j);
          truth.value += std::exp(exponent);
          for (std::size_t j = 0; j < features; ++j) truth.moment[j] += std::exp(exponent) * off(j);
        }
      }
      found.value = sum.total * std::exp(double{sum.peak});
      for (std::size_t j = 0; j < features; ++j) found.moment[j] = moment[j] * std::exp(double{sum.peak});
      expect_near(found, truth, 1e-4);
    }
  }
}

TEST(Listed, distances_are_those_of_a_plain_loop) {
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(7);
    for (const std::size_t features : {1, 4, 8, 20, 33}) {
      constexpr std::size_t rows = 40;
      const std::size_t width = kernel::listed_width(features);
      auto values = random.floats(rows * width, -1, 1), x = random.floats(width, -1, 1);
      for (std::size_t i = 0; i < values.size(); ++i)
        if (i % width >= features) values[i] = x[i % width] = 0;
      for (const kernel::Distance distance : {kernel::Distance::half_square, kernel::Distance::absolute}) {
        for (const std::size_t count : {0, 1, 7, 16}) {
          std::vector<std::uint32_t> list;
          for (std::size_t i = 0; i < count; ++i)
            list.push_back(static_cast<std::uint32_t>((7 * i + count) % rows));
          std::vector<float> found(count + 1, -1.0F);
          set->listed_distances({width, values.data(), distance}, list.data(), count, x.data(), found.data());
          for (std::size_t i = 0; i < count; ++i) {
            double truth = 0;
            for (std::size_t j = 0; j < features; ++j)
              truth += apart(double{values[list[i] * width + j]} - x[j], distance);
            EXPECT_NEAR(found[i], truth, 1e-5 * (1 + truth)) << set->name << ' ' << features;
          }
          EXPECT_EQ(found[count], -1.0F);
        }
      }
    }
  }
}

TEST(Coarse, a_first_look_finds_the_rows_that_a_plain_loop_finds) {
  using kernel::Distance;
  const std::vector<std::pair<Distance, float>> reaches = {{Distance::half_square, 1.0F},
                                                           {Distance::half_square, 10.0F},
                                                           {Distance::half_square, 40.0F},
                                                           {Distance::absolute, 5.0F},
                                                           {Distance::absolute, 30.0F}};
  for (const kernel::Kernels* set : kernel_sets()) {
    Random random(8);
    for (const std::size_t features : {1, 3, 8, 20, 33}) {
      for (const std::size_t blocks : {1, 2, 5}) {
        constexpr std::size_t points = 6;
        const auto levels = random.floats(features * kernel::coarse_levels, -2, 2),
                   x = random.floats(points * features, -2, 2);
        const auto drawn = random.floats(blocks * kernel::coarse_rows * features, 0, 15.99F);
        std::vector<std::uint8_t> codes(blocks * kernel::coarse_bytes(features));
        const auto level = [&](std::size_t row, std::size_t j) {
          return static_cast<std::size_t>(drawn[row * features + j]);
        };
        for (std::size_t row = 0; row < blocks * kernel::coarse_rows; ++row)
          for (std::size_t j = 0; j < features; ++j)
            codes[row / kernel::coarse_rows * kernel::coarse_bytes(features) + j / 2 * kernel::coarse_rows +
                  row % kernel::coarse_rows] |= static_cast<std::uint8_t>(level(row, j) << (j % 2 * 4));
        for (const auto& [distance, reach] : reaches) {
          for (std::size_t count = 1; count <= points; ++count) {
            std::vector<std::uint8_t> tables(count * kernel::coarse_table_bytes(features));
            std::vector<const std::uint8_t*> at;
            for (std::size_t i = 0; i < count; ++i) {
              at.push_back(tables.data() + i * kernel::coarse_table_bytes(features));
              set->coarse_table(features, levels.data(), x.data() + i * features, distance, reach,
                                tables.data() + i * kernel::coarse_table_bytes(features));
            }
            std::vector<std::uint32_t> near(count * blocks);
            set->coarse_near({blocks, features, codes.data()}, at.data(), count, near.data());
            // Each feature is rounded by less than one part in 255.
            const double doubt = reach * static_cast<double>(features + 1) / 255;
            for (std::size_t i = 0; i < count; ++i) {
              for (std::size_t row = 0; row < blocks * kernel::coarse_rows; ++row) {
                double truth = 0;
                for (std::size_t j = 0; j < features; ++j)
                  truth +=
                      apart(double{levels[j * kernel::coarse_levels + level(row, j)]} - x[i * features + j],
                            distance);
                const bool found =
                    (near[i * blocks + row / kernel::coarse_rows] >> row % kernel::coarse_rows & 1U) != 0;
                if (std::abs(truth - reach) > doubt)
                  EXPECT_EQ(found, truth < reach) << set->name << ' ' << features << ' ' << truth;
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace scfe::test
