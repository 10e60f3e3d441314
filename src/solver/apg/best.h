// The best answer of each lane so far. An iterate counts only if it is valid; then the order of
// query/floor_order.h decides, with the log q that the lane has reached so far. A tie keeps the earlier.
// Until one is valid, the one with the largest margin is kept.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "query/floor_order.h"
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
  // Clears the lane. `orders` of each lane; empty: no floor.
  void start(std::size_t lane, std::span<const FloorOrder> orders);
  void keep(const Block& w, const Judged& judged, const std::vector<char>& lanes);

  const Block& w() const { return w_; }
  const Kept& operator[](std::size_t lane) const { return kept_[lane]; }

 private:
  bool improves(std::size_t lane, const Kept& next) const;

  Block w_;
  std::vector<Kept> kept_;
  std::vector<FloorOrder> order_;
  std::vector<double> reached_;  // the largest log q of a valid iterate
};

}  // namespace scfe
