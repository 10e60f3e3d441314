#include "dependency/orders.h"

#include <algorithm>
#include <cmath>

#include "dependency/chance.h"
#include "dependency/column.h"

namespace scfe {
namespace {

bool is_comparable(const Feature& a, const Feature& b) {
  return !has_levels(a) && !has_levels(b) && (a.unit.empty() || b.unit.empty() || a.unit == b.unit);
}

bool holds(const Matrix& rows, std::size_t low, std::size_t high) {
  for (std::size_t i = 0; i < rows.rows; ++i)
    if (rows[i][low] > rows[i][high]) return false;
  return true;
}

}  // namespace

ColumnOrders orders_between(const Matrix& rows, std::span<const Feature> features) {
  ColumnOrders orders;
  std::vector<double> lows, highs;
  for (std::size_t low = 0; low < features.size(); ++low)
    for (std::size_t high = 0; high < features.size(); ++high) {
      if (low == high || !is_comparable(features[low], features[high])) continue;
      ++orders.tests;
      if (!holds(rows, low, high)) continue;
      lows.clear();
      highs.clear();
      for (std::size_t i = 0; i < rows.rows; ++i) {
        if (std::isnan(rows[i][low]) || std::isnan(rows[i][high])) continue;
        lows.push_back(rows[i][low]);
        highs.push_back(rows[i][high]);
      }
      const auto [log_probability, expected] = order_by_chance(lows, highs);
      const double least = std::max(least_expected, least_disordered * static_cast<double>(lows.size()));
      if (expected >= least) orders.found.push_back({low, high, lows.size(), expected, log_probability});
    }
  return orders;
}

std::vector<ColumnOrder> without_implied(const std::vector<ColumnOrder>& orders) {
  const auto has = [&](std::size_t low, std::size_t high) {
    return std::ranges::any_of(orders, [&](const ColumnOrder& o) { return o.low == low && o.high == high; });
  };
  std::vector<ColumnOrder> kept;
  for (const ColumnOrder& order : orders) {
    // Equal columns imply each other's orders; a step through one of them leads nowhere.
    const auto between = [&](const ColumnOrder& step) {
      return step.low == order.low && step.high != order.high && has(step.high, order.high) &&
             !has(step.high, order.low) && !has(order.high, step.high);
    };
    if (std::ranges::none_of(orders, between)) kept.push_back(order);
  }
  return kept;
}

}  // namespace scfe
