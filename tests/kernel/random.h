// Seeded random numbers for tests. They do not use std::*_distribution, which differs between libraries.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace scfe::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t bound) { return bits_() % bound; }
  std::vector<float> floats(std::size_t count, double from, double to) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(uniform(from, to));
    return values;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace scfe::test
