#include "actionability/writing.h"

#include <cmath>

namespace scfe {
namespace {

// k * step without binary rounding errors: 3 * 0.1 gives 0.3.
double multiple(double k, double step) {
  const double inverse = std::round(1 / step);
  return step < 1 && std::abs(inverse * step - 1) < 1e-12 ? k / inverse : k * step;
}

double nine_digits(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double scale = std::pow(10.0, 8 - std::floor(std::log10(std::abs(x))));
  return std::isfinite(scale) ? std::round(x * scale) / scale : x;
}

}  // namespace

double Writing::nearest(std::size_t column, double x) const {
  return step[column] > 0 ? multiple(std::round(x / step[column]), step[column]) : nine_digits(x);
}

double Writing::neighbour(std::size_t column, double x, int away) const {
  if (!(step[column] > 0)) return nine_digits(x);
  const double k = x / step[column], whole = std::round(k);
  const bool on_grid = std::abs(k - whole) < std::fmin(1e-9 * std::fmax(1.0, std::abs(k)), 1e-5);
  const double below = on_grid ? whole : std::floor(k), above = on_grid ? whole : std::ceil(k);
  return multiple(away < 0 ? below + (away + 1) : above + (away - 1), step[column]);
}

}  // namespace scfe
