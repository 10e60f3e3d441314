#include "report/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace scfe::app {
namespace {

std::string tick_text(double value, double step) {
  std::array<char, 64> text{};
  const double digits = std::max(0.0, -std::floor(std::log10(step)));
  if (std::abs(value) < 1e7 && digits <= 6)
    (void)std::snprintf(text.data(), text.size(), "%.*f", static_cast<int>(digits), value);
  else
    (void)std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace

std::vector<Tick> round_ticks(double lo, double hi, std::size_t about, double least_step) {
  const double rough = (hi - lo) / static_cast<double>(about);
  if (!std::isfinite(rough) || !(rough > 0)) return {};
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double multiple = rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10;
  const double step = std::max(power * multiple, least_step);
  // Beyond 2^53 neighbouring multiples are the same number.
  if (!(step > 0) || std::max(std::abs(lo), std::abs(hi)) / step > 1e15) return {};
  std::vector<Tick> ticks;
  for (double k = std::ceil(lo / step); k * step <= hi; ++k)
    ticks.push_back({k == 0 ? 0 : k * step, tick_text(k == 0 ? 0 : k * step, step)});
  return ticks;
}

}  // namespace scfe::app
