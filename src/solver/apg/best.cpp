#include "solver/apg/best.h"

#include <cassert>

namespace scfe {

Best::Best(std::size_t features, std::size_t max_lanes)
    : w_(features, max_lanes), kept_(max_lanes), floor_(max_lanes) {}

void Best::start(std::size_t lane, std::span<const float> floor) {
  assert(floor.empty() || lane < floor.size());
  for (std::size_t j = 0; j < w_.features(); ++j) w_[j][lane] = 0;
  kept_[lane] = {};
  floor_[lane] = floor.empty() ? -INFINITY : floor[lane];
}

void Best::keep(const Block& w, const Judged& judged, const std::vector<char>& lanes) {
  for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
    if (!lanes[lane]) continue;
    const bool valid = judged.margin[lane] >= 0;
    const float density = judged.log_density[lane];
    const bool meets = floor_[lane] == -INFINITY || density >= floor_[lane];
    const Kept next{valid, valid && meets, judged.cost[lane], judged.margin[lane], density};
    if (!improves(lane, next)) continue;
    kept_[lane] = next;
    for (std::size_t j = 0; j < w.features(); ++j) w_[j][lane] = w[j][lane];
  }
}

bool Best::improves(std::size_t lane, const Kept& next) const {
  const Kept& now = kept_[lane];
  if (!next.valid || !now.valid) return next.valid || (!now.valid && next.margin > now.margin);
  if (next.meets_floor != now.meets_floor) return next.meets_floor;
  return next.meets_floor ? next.cost < now.cost : next.log_density > now.log_density;
}

}  // namespace scfe
