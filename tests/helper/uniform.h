// Seeded random numbers for tests, the same with every standard library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace scfe::test {

class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  double operator()(double lo, double hi) { return lo + (hi - lo) * unit(); }
  double logarithmic(double lo, double hi) { return std::exp((*this)(std::log(lo), std::log(hi))); }
  bool chance(double probability) { return unit() < probability; }
  int integer(int lo, int hi) { return lo + static_cast<int>(unit() * (hi - lo + 1)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace scfe::test
