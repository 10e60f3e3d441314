#include "dependency/chance.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace scfe {

Chance::Chance(std::size_t most_rows) : log_factorial_(most_rows + 1) {
  for (std::size_t i = 1; i <= most_rows; ++i)
    log_factorial_[i] = log_factorial_[i - 1] + std::log(static_cast<double>(i));
}

double Chance::of_so_few(std::size_t n, std::size_t a, std::size_t b, std::size_t together) const {
  const std::size_t least = a + b > n ? a + b - n : 0, most = std::min({together, a, b});
  if (least > most) return -INFINITY;
  std::vector<double> terms;
  for (std::size_t x = least; x <= most; ++x)
    terms.push_back(choose(a, x) + choose(n - a, b - x) - choose(n, b));
  const double peak = *std::ranges::max_element(terms);
  double sum = 0;
  for (const double term : terms) sum += std::exp(term - peak);
  return peak + std::log(sum);
}

double Chance::of_map(std::size_t n, std::size_t exceptions, std::size_t keys, double share) const {
  if (n <= exceptions + keys) return 0;
  return choose(n, exceptions) + static_cast<double>(n - exceptions - keys) * std::log(share);
}

OrderByChance order_by_chance(std::span<const double> low, std::span<const double> high) {
  std::vector<double> lows(low.begin(), low.end()), highs(high.begin(), high.end());
  std::ranges::sort(lows, std::greater<>());
  std::ranges::sort(highs, std::greater<>());
  const std::size_t n = lows.size();
  OrderByChance order{0, 0};
  for (std::size_t i = 0, reached = 0; i < n; ++i) {
    while (reached < n && highs[reached] >= lows[i]) ++reached;
    order.expected += static_cast<double>(n - reached) / static_cast<double>(n);
    if (reached <= i) return {-INFINITY, order.expected};
    order.log_probability += std::log(static_cast<double>(reached - i) / static_cast<double>(n - i));
  }
  return order;
}

}  // namespace scfe
