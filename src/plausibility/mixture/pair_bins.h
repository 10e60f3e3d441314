// The distances of one row to many others, in bins, for sums of exp(-squared / 2h²) at many values of h.
//
// Bins are at most 0.4 % wide in the squared distance and store their mean, so the error is of second order:
// below 1/1000 for exponents down to -30. A million distances need a few hundred bins.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace scfe {

struct BinnedPair {
  double squared;  // squared distance of the numeric columns
  double count;
  int differing;  // number of categories with different levels
};

// Up to this many rows every pair is kept on its own.
inline constexpr std::size_t most_single_pairs = 8192;

class PairBins {
 public:
  void add(double squared, int differing) {
    // The bits of a float are a piecewise linear logarithm: 256 bins per factor of two.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(squared));
    Bin& bin = place(bits >> 15, static_cast<std::size_t>(differing));
    bin.sum += squared;
    bin.count += 1;
  }

  // Appends the non-empty bins to `pairs` and clears them.
  void empty_into(std::vector<BinnedPair>& pairs) {
    for (std::size_t differing = 0; differing < bins_.size(); ++differing) {
      for (Bin& bin : bins_[differing]) {
        if (bin.count > 0) pairs.push_back({bin.sum / bin.count, bin.count, static_cast<int>(differing)});
        bin = {};
      }
    }
  }

 private:
  struct Bin {
    double sum = 0, count = 0;
  };
  Bin& place(std::uint32_t bin, std::size_t differing) {
    if (differing >= bins_.size()) bins_.resize(differing + 1);
    if (bins_[differing].empty()) bins_[differing].resize(std::size_t{1} << 16);
    return bins_[differing][bin];
  }
  std::vector<std::vector<Bin>> bins_;  // [differing][upper bits of the squared distance]
};

}  // namespace scfe
