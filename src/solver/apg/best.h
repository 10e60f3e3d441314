// The best answer of each lane so far. An iterate counts only if it is valid; then
//
//     one that meets the density floor beats one that does not,
//     of two that meet it the cheaper wins, of two that do not the more plausible.
//
// A tie keeps the earlier. Until one is valid, the one with the largest margin is kept.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "scfe/block.h"

namespace scfe {

// What iterates are judged by, an entry for each lane.
struct Judged {
  const float* margin;       // valid if >= 0
  const float* log_density;  // not read without a floor
  const float* cost;
};

struct Kept {
  bool valid = false;
  bool meets_floor = false;
  float cost = INFINITY;
  float margin = -INFINITY;
  float log_density = -INFINITY;
};

class Best {
 public:
  Best(std::size_t features, std::size_t max_lanes);

  void set_lanes(std::size_t lanes) { w_.set_lanes(lanes); }
  // Clears the lane. `floor` of each lane; empty: none.
  void start(std::size_t lane, std::span<const float> floor);
  void keep(const Block& w, const Judged& judged, const std::vector<char>& lanes);

  const Block& w() const { return w_; }
  const Kept& operator[](std::size_t lane) const { return kept_[lane]; }

 private:
  bool improves(std::size_t lane, const Kept& next) const;

  Block w_;
  std::vector<Kept> kept_;
  std::vector<float> floor_;
};

}  // namespace scfe
