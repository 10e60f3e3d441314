#include "actionability/limits.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

// The coarsest of 1, 0.1, ... 1e-6 that every value of the column is a multiple of; 0 if none is.
double step_of(const Matrix& rows, std::size_t column) {
  for (int decimals = 0; decimals <= 6; ++decimals) {
    const double scale = std::pow(10.0, decimals);
    bool fits = true;
    for (std::size_t i = 0; i < rows.rows && fits; ++i) {
      const double scaled = rows[i][column] * scale;
      fits = std::abs(scaled - std::round(scaled)) <= 1e-9 * std::max(1.0, std::abs(scaled));
    }
    if (fits) return 1 / scale;
  }
  return 0;
}

void check_feature(const Feature& feature) {
  const std::string field = "feature '" + feature.name + "'";
  if (feature.kind == Kind::categorical)
    throw Error(field + ": kind", "continuous, integer, ordinal or binary (numeric columns)", "categorical");
  for (const std::optional<double>& bound : {feature.min, feature.max})
    if (bound && !std::isfinite(*bound)) throw Error(field + ": range", "finite limits", number(*bound));
  if (feature.min && feature.max && *feature.min > *feature.max)
    throw Error(field + ": range", "min <= max", number(*feature.min) + " > " + number(*feature.max));
  if (feature.step && !(std::isfinite(*feature.step) && *feature.step >= 0))
    throw Error(field + ": step", "a number >= 0", number(*feature.step));
  if (!(std::isfinite(feature.weight) && feature.weight > 0))
    throw Error(field + ": weight", "a number > 0", number(feature.weight));
}

}  // namespace

std::vector<Feature> complete_features(std::vector<Feature> features, const Matrix& rows) {
  if (features.empty()) features.resize(rows.cols);
  if (features.size() != rows.cols)
    throw Error("features", std::to_string(rows.cols) + " (columns of the training rows)",
                std::to_string(features.size()));
  std::set<std::string> names;
  for (std::size_t j = 0; j < features.size(); ++j) {
    Feature& feature = features[j];
    if (feature.name.empty()) feature.name = "x" + std::to_string(j);
    if (!names.insert(feature.name).second)
      throw Error("features", "distinct names", "'" + feature.name + "' twice");
    check_feature(feature);
    double lo = INFINITY, hi = -INFINITY;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      lo = std::min(lo, rows[i][j]);
      hi = std::max(hi, rows[i][j]);
    }
    if (!feature.min) feature.min = feature.max ? std::min(lo, *feature.max) : lo;
    if (!feature.max) feature.max = std::max(hi, *feature.min);
    if (!feature.step) feature.step = feature.kind == Kind::continuous ? step_of(rows, j) : 1.0;
  }
  return features;
}

void set_limits(std::span<const Feature> features, const Scaling& scaling, Instance& instance) {
  instance.lo.assign(features.size(), 0.0);
  instance.hi.assign(features.size(), 0.0);
  for (std::size_t j = 0; j < features.size(); ++j) {
    const Feature& feature = features[j];
    if (feature.immutable) continue;
    const double x = instance.original[j], u = instance.factual[j];
    if (feature.direction != Direction::up && x > *feature.min)
      instance.lo[j] = scaling.to_work(j, *feature.min) - u;
    if (feature.direction != Direction::down && x < *feature.max)
      instance.hi[j] = scaling.to_work(j, *feature.max) - u;
  }
}

std::string blocking_limits(std::span<const Feature> features, const Instance& instance,
                            std::span<const int> support, std::span<const double> w) {
  std::vector<std::string> limits;
  for (std::size_t i = 0; i < support.size(); ++i) {
    const auto j = static_cast<std::size_t>(support[i]);
    const Feature& feature = features[j];
    const double touch = 1e-6 * std::max(1.0, instance.hi[j] - instance.lo[j]);
    if (w[i] >= instance.hi[j] - touch)
      limits.push_back(feature.name + (feature.direction == Direction::down ? " may only go down"
                                                                            : " <= " + number(*feature.max)));
    else if (w[i] <= instance.lo[j] + touch)
      limits.push_back(feature.name + (feature.direction == Direction::up ? " may only go up"
                                                                          : " >= " + number(*feature.min)));
  }
  for (const Feature& feature : features)
    if (feature.immutable) limits.push_back(feature.name + " may not change");
  return join(limits, ", ");
}

}  // namespace scfe
