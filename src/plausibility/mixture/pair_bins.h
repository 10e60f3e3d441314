// The distances of one row to many others in bins, for sums of exp(-squared / 2h²) over them at many h.
//
// Bins are at most 0.4 % wide in the squared distance and remember their mean, so that a bin errs in
// second order only: for exponents down to -30 by less than a thousandth. A million distances take some
// hundred bins.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace scfe {

struct BinnedPair {
  double squared;  // of the numbers
  double count;
  int differing;  // categories
};

// Rows up to which every pair stands for itself.
inline constexpr std::size_t most_single_pairs = 8192;

class PairBins {
 public:
  void add(double squared, int differing) {
    // A float's bits are its logarithm, piecewise linear: 256 bins for each doubling.
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(squared));
    Bin& bin = place(bits >> 15, static_cast<std::size_t>(differing));
    bin.sum += squared;
    bin.count += 1;
  }

  // What was added, and none is left.
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
