#include "actionability/features.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

// The largest of 1, 0.1, ... 1e-6 of which every value in the column is a multiple; 0 if none.
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

constexpr std::size_t most_ordered = 2048;  // a table of distances between all of them is made

void check_order(const Feature& feature, std::size_t levels, const std::string& field) {
  std::set<int> places(feature.order.begin(), feature.order.end());
  if (feature.order.size() != levels || places.size() != levels || *places.begin() != 0 ||
      *places.rbegin() != static_cast<int>(levels) - 1)
    throw Error(field + ": order", "every place from 0 to " + std::to_string(levels - 1) + " once",
                std::to_string(feature.order.size()) + " places");
}

void check_levels(const Feature& feature, const std::string& field) {
  const std::size_t levels = feature.level_count();
  const std::string square = std::to_string(levels) + " rows, one per level";
  if (levels < 2) throw Error(field + ": levels", "two or more", std::to_string(levels));
  if (feature.kind == Kind::binary && !feature.levels.empty() && feature.levels.size() != 2)
    throw Error(field + ": levels", "two, or none for 0 and 1", std::to_string(feature.levels.size()));
  if (feature.direction != Direction::any && feature.kind == Kind::categorical && feature.order.empty())
    throw Error(field + ": direction", "any: the levels have no order (`order` gives them one)",
                feature.direction == Direction::up ? "up" : "down");
  if (!feature.order.empty()) check_order(feature, levels, field);
  if (!feature.order.empty() && feature.distances.empty() && levels > most_ordered)
    throw Error(field + ": order", "at most " + std::to_string(most_ordered) + " levels",
                std::to_string(levels));
  if (!feature.distances.empty() && feature.distances.size() != levels)
    throw Error(field + ": distances", square, std::to_string(feature.distances.size()));
  for (const std::vector<double>& row : feature.distances) {
    if (row.size() != levels) throw Error(field + ": distances", square, std::to_string(row.size()));
    for (const double distance : row)
      if (!(std::isfinite(distance) && distance >= 0))
        throw Error(field + ": distances", "numbers >= 0", number(distance));
  }
  if (!feature.transitions.empty() && feature.transitions.size() != levels)
    throw Error(field + ": transitions", square, std::to_string(feature.transitions.size()));
  for (const std::vector<int>& row : feature.transitions)
    for (const int level : row)
      if (level < 0 || static_cast<std::size_t>(level) >= levels)
        throw Error(field + ": transitions", "places from 0 to " + std::to_string(levels - 1),
                    std::to_string(level));
}

void check_feature(const Feature& feature) {
  const std::string field = "feature '" + feature.name + "'";
  if (!(std::isfinite(feature.weight) && feature.weight > 0))
    throw Error(field + ": weight", "a number > 0", number(feature.weight));
  if (feature.is_category()) return check_levels(feature, field);
  for (const std::optional<double>& bound : {feature.min, feature.max})
    if (bound && !std::isfinite(*bound)) throw Error(field + ": range", "finite limits", number(*bound));
  if (feature.min && feature.max && *feature.min > *feature.max)
    throw Error(field + ": range", "min <= max", number(*feature.min) + " > " + number(*feature.max));
  if (feature.step && !(std::isfinite(*feature.step) && *feature.step >= 0))
    throw Error(field + ": step", "a number >= 0", number(*feature.step));
}

// Fills in range, step and, for ordered levels, distances of a category.
void complete_category(Feature& feature) {
  const bool binary = feature.kind == Kind::binary;
  feature.min = binary ? feature.min.value_or(0) : 0;
  feature.max = binary ? feature.max.value_or(1) : static_cast<double>(feature.levels.size() - 1);
  feature.step = 1;
  if (feature.order.empty() || !feature.distances.empty()) return;
  const std::size_t levels = feature.order.size();
  feature.distances.assign(levels, std::vector<double>(levels));
  for (std::size_t i = 0; i < levels; ++i)
    for (std::size_t k = 0; k < levels; ++k) {
      const auto from = static_cast<std::size_t>(feature.order[i]),
                 to = static_cast<std::size_t>(feature.order[k]);
      const double steps = i < k ? static_cast<double>(k - i) : static_cast<double>(i - k);
      feature.distances[from][to] = steps / static_cast<double>(levels - 1);
    }
}

void complete_number(Feature& feature, const Matrix& inputs, std::size_t column) {
  double lo = INFINITY, hi = -INFINITY;
  for (std::size_t i = 0; i < inputs.rows; ++i) {
    lo = std::min(lo, inputs[i][column]);
    hi = std::max(hi, inputs[i][column]);
  }
  if (!feature.min) feature.min = feature.max ? std::min(lo, *feature.max) : lo;
  if (!feature.max) feature.max = std::max(hi, *feature.min);
  if (!feature.step) feature.step = feature.kind == Kind::continuous ? step_of(inputs, column) : 1.0;
}

}  // namespace

std::vector<Feature> named_features(std::vector<Feature> features, std::size_t inputs) {
  if (features.empty()) features.resize(inputs);
  std::set<std::string> names;
  std::size_t input = 0;
  for (std::size_t f = 0; f < features.size(); ++f) {
    Feature& feature = features[f];
    if (feature.name.empty()) feature.name = "x" + std::to_string(f);
    if (!names.insert(feature.name).second)
      throw Error("features", "distinct names", "'" + feature.name + "' twice");
    check_feature(feature);
    input += feature.width();
  }
  if (input != inputs)
    throw Error("features", std::to_string(inputs) + " inputs (columns of the training rows)",
                std::to_string(input));
  return features;
}

std::vector<Feature> complete_features(std::vector<Feature> features, const Matrix& inputs) {
  features = named_features(std::move(features), inputs.cols);
  std::size_t input = 0;
  for (Feature& feature : features) {
    if (feature.is_category())
      complete_category(feature);
    else
      complete_number(feature, inputs, input);
    input += feature.width();
  }
  return features;
}

std::vector<Feature> complete_features_of_values(std::vector<Feature> features, std::size_t inputs,
                                                 const Matrix& values) {
  features = named_features(std::move(features), inputs);
  for (std::size_t f = 0; f < features.size(); ++f)
    if (features[f].is_category())
      complete_category(features[f]);
    else
      complete_number(features[f], values, f);
  return features;
}

}  // namespace scfe
