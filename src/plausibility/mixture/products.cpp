#include "plausibility/mixture/products.h"

#include <cmath>
#include <numbers>
#include <string>

#include "scfe/error.h"

namespace scfe {
namespace {

void require_positive(const char* field, double value) {
  if (!(value > 0) || !std::isfinite(value)) throw Error(field, "numbers above 0", std::to_string(value));
}

}  // namespace

std::vector<double> log_weights(const Products& products) {
  const Columns columns(products.group, products.columns());
  std::vector<double> found;
  for (std::size_t k = 0; k < products.components(); ++k) {
    require_positive("weights", products.weights[k]);
    double value = std::log(products.weights[k]);
    for (const int j : columns.numeric) {
      require_positive("variances", products.variances[k][j]);
      value -= 0.5 * std::log(2 * std::numbers::pi * products.variances[k][j]);
    }
    for (const double level : products.log_levels[k])
      if (!std::isfinite(level)) throw Error("log_levels", "finite numbers", std::to_string(level));
    found.push_back(value);
  }
  return found;
}

}  // namespace scfe
