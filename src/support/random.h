// A seeded generator with its own distributions: std::*_distribution differs between standard libraries, and
// the same seed must give the same bits everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace scfe {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Uniform in [0, 1), with 53 random bits.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
  // Uniform in 0 .. count - 1; the bias is below count / 2^53.
  std::size_t index(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<double>(count));
  }
  // 0 .. count - 1 in random order.
  std::vector<std::size_t> permutation(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[index(i)]);
    return order;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace scfe
