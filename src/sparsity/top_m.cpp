// At most m features (or one-hot groups) change: a hard limit.
//
// With z = clamp(v) (one_hot.h for a one-hot group), changing feature j saves  gain_j = v_j² - (v_j - z_j)²,
// summed over the columns of a group. The minimiser of |w - v|² is z at the m largest gains and 0 elsewhere.
// Ties go to the earlier column, and a gain of 0 is not a change.
//
// Without groups, kernel/isa/largest.cpp does this. With groups, m passes find the m-th largest (gain, place)
// of a lane, each pass the next smaller one: O(m d) without sorting, and vectorised over lanes.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"
#include "sparsity/one_hot.h"
#include "sparsity/operators.h"

namespace scfe {
namespace {

using Gains = std::array<double, lane_step>;
using Places = std::array<double, lane_step>;

// The smallest gain kept so far, with its place.
struct Cut {
  Gains gain;
  Places place;
};

class TopM final : public Prox {
 public:
  explicit TopM(const Sparsity& sparsity)
      : most_(static_cast<std::size_t>(std::max(sparsity.max_changes, 0))), groups_(sparsity) {
    if (sparsity.max_changes < 1)
      throw Error("max_changes", "at least 1", std::to_string(sparsity.max_changes));
  }

  void prox(const Block& v, const float* /*step*/, const Box& box, Block& w) const override {
    assert(w.features() == v.features() && w.lanes() == v.lanes());
    if (groups_.single())
      return kernel::kernels().largest(task(box), kernel::rows_of(v), kernel::rows_of(w), v.padded_lanes());
    project(groups_, v, box, w);
    for (std::size_t first = 0; first < v.lanes(); first += lane_step) keep_largest(v, first, w);
  }

  bool descend(const kernel::Descent& step, const Box& box, Block& shifted, Block& w) const override {
    if (!groups_.single() || most_ > kernel::few_changes) return Prox::descend(step, box, shifted, w);
    return kernel::kernels().descend_to_largest(step, task(box), kernel::rows_of(w), w.padded_lanes());
  }

  void value(const Block& w, float* value) const override {
    for (std::size_t lane = 0; lane < w.lanes(); ++lane)
      value[lane] = groups_.moved(w, lane) <= most_ ? 0.0F : INFINITY;
  }

 private:
  kernel::Largest task(const Box& box) const {
    return {box.lo.features(), most_, kernel::rows_of(box.lo), kernel::rows_of(box.hi)};
  }

  void keep_largest(const Block& v, std::size_t first, Block& w) const {
    const std::size_t count = groups_.count(v.features());
    Cut cut;
    cut.gain.fill(INFINITY);
    cut.place.fill(-1);
    if (most_ >= count) {
      cut.gain.fill(0);
    } else {
      for (std::size_t pass = 0; pass < most_; ++pass) cut = next_below(cut, v, w, first);
    }
    const std::size_t lanes = std::min(lane_step, v.lanes() - first);
    for (std::size_t g = 0; g < count; ++g) {
      const Gains gains = group_gains(g, v, w, first);
      for (std::size_t i = 0; i < lanes; ++i) {
        const bool kept =
            gains[i] > cut.gain[i] || (gains[i] == cut.gain[i] && static_cast<double>(g) <= cut.place[i]);
        if (!kept || !(gains[i] > 0)) groups_.for_each_column(g, [&](std::size_t j) { w[j][first + i] = 0; });
      }
    }
  }

  Cut next_below(const Cut& cut, const Block& v, const Block& w, std::size_t first) const {
    Cut best;
    best.gain.fill(-1);
    best.place.fill(-1);
    for (std::size_t g = 0; g < groups_.count(v.features()); ++g) {
      const Gains gains = group_gains(g, v, w, first);
      const auto place = static_cast<double>(g);
      for (std::size_t i = 0; i < lane_step; ++i) {
        const bool below = gains[i] < cut.gain[i] || (gains[i] == cut.gain[i] && place > cut.place[i]);
        const bool better = below && gains[i] > best.gain[i];
        best.gain[i] = better ? gains[i] : best.gain[i];
        best.place[i] = better ? place : best.place[i];
      }
    }
    return best;
  }

  // Padding lanes hold undefined values, which is harmless: lanes do not affect each other.
  Gains group_gains(std::size_t g, const Block& v, const Block& w, std::size_t first) const {
    Gains gains{};
    groups_.for_each_column(g, [&](std::size_t j) {
      const float *at = v[j] + first, *to = w[j] + first;
      for (std::size_t i = 0; i < lane_step; ++i) gains[i] += gain(at[i], to[i]);
    });
    return gains;
  }

  std::size_t most_;
  Groups groups_;
};

}  // namespace

std::unique_ptr<Prox> make_top_m(const Sparsity& sparsity) { return std::make_unique<TopM>(sparsity); }

}  // namespace scfe
