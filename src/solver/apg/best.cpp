#include "solver/apg/best.h"

#include <algorithm>
#include <cassert>

namespace scfe {

Best::Best(std::size_t features, std::size_t max_lanes)
    : w_(features, max_lanes), kept_(max_lanes), order_(max_lanes), reached_(max_lanes) {}

void Best::start(std::size_t lane, std::span<const FloorOrder> orders) {
  assert(orders.empty() || lane < orders.size());
  for (std::size_t j = 0; j < w_.features(); ++j) w_[j][lane] = 0;
  kept_[lane] = {};
  order_[lane] = orders.empty() ? FloorOrder{} : orders[lane];
  reached_[lane] = FloorOrder::lowest;
}

void Best::keep(const Block& w, const Judged& judged, const std::vector<char>& lanes) {
  for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
    if (!lanes[lane]) continue;
    const bool valid = judged.margin[lane] >= 0;
    const float density = judged.log_density[lane];
    const bool meets = order_[lane].floor == FloorOrder::lowest || density >= order_[lane].floor;
    const Kept next{valid, valid && meets, judged.cost[lane], judged.margin[lane], density};
    if (valid && order_[lane].floor != FloorOrder::lowest)
      reached_[lane] = std::max(reached_[lane], static_cast<double>(density));
    if (!improves(lane, next)) continue;
    kept_[lane] = next;
    for (std::size_t j = 0; j < w.features(); ++j) w_[j][lane] = w[j][lane];
  }
}

bool Best::improves(std::size_t lane, const Kept& next) const {
  const Kept& now = kept_[lane];
  if (!next.valid || !now.valid) return next.valid || (!now.valid && next.margin > now.margin);
  if (order_[lane].floor == FloorOrder::lowest) return next.cost < now.cost;
  return order_[lane].prefers({next.log_density, next.cost}, {now.log_density, now.cost}, reached_[lane]);
}

}  // namespace scfe
