#include "query/floor_order.h"

namespace scfe {

FloorOrder floor_order(const Query& query, const Row& row) {
  constexpr double slack_in_nats = 0.5;
  FloorOrder order;
  if (!query.has_density() || !row.floor) return order;
  order.floor = *row.floor;
  order.slack = slack_in_nats * nat_of(query.fitted.density);
  order.below = row.below_floor;
  return order;
}

}  // namespace scfe
