#include "data/match_levels.h"

#include <algorithm>

#include "actionability/rules.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

std::vector<int> places_of(const std::vector<std::string>& names, const std::vector<std::string>& among) {
  std::vector<int> places;
  places.reserve(names.size());
  for (const std::string& name : names)
    places.push_back(static_cast<int>(std::ranges::find(among, name) - among.begin()));
  return places;
}

// Throws if a rule uses the feature as a number: with another order of levels it would mean something else.
void refuse_rules(const Schema& schema, const Feature& feature, const std::vector<std::string>& known) {
  std::vector<Feature> features;
  std::size_t place = 0;
  for (const Column& column : schema.columns) {
    if (column.feature.name == feature.name) place = features.size();
    features.push_back(column.feature);
  }
  for (const std::string& rule : schema.rules)
    if (rule.find(feature.name) != rule.npos && Rules({rule}, features).counts(place))
      throw Error("feature '" + feature.name + "': levels",
                  join(known, ", ") + " as the model has them, for the rule '" + rule + "' counts them",
                  feature.levels.empty() ? "numbers" : join(feature.levels, ", "));
}

}  // namespace

void offer_only(Feature& feature, const std::vector<int>& places) {
  const std::size_t levels = feature.levels.size();
  if (places.size() == levels || !feature.transitions.empty()) return;
  feature.transitions.assign(levels, places);
  for (std::size_t k = 0; k < levels; ++k)
    if (std::ranges::find(places, static_cast<int>(k)) == places.end())
      feature.transitions[k].push_back(static_cast<int>(k));
}

void order_levels(Feature& feature, const std::vector<std::string>& known) {
  const std::vector<std::string> before = feature.levels;
  std::vector<std::string> after = known;
  for (const std::string& level : before)
    if (!contains(known, level)) after.push_back(level);
  if (after == before) return;
  const std::vector<int> to = places_of(before, after), from = places_of(after, before);
  const std::size_t old = before.size();
  const auto was = [&](std::size_t place) { return static_cast<std::size_t>(from[place]); };
  if (after.size() > old && (!feature.distances.empty() || !feature.order.empty()))
    throw Error("feature '" + feature.name + "': levels", "all that the model knows: " + join(known, ", "),
                join(before, ", "));
  Feature ordered = feature;
  ordered.levels = after;
  for (int& place : ordered.order) place = to[static_cast<std::size_t>(place)];
  if (!feature.distances.empty())
    for (std::size_t i = 0; i < old; ++i)
      for (std::size_t j = 0; j < old; ++j) ordered.distances[i][j] = feature.distances[was(i)][was(j)];
  if (!feature.transitions.empty()) {
    ordered.transitions.assign(after.size(), {});
    for (std::size_t i = 0; i < after.size(); ++i)
      for (std::size_t k = 0; was(i) < old && k < feature.transitions[was(i)].size(); ++k)
        ordered.transitions[i].push_back(to[static_cast<std::size_t>(feature.transitions[was(i)][k])]);
  }
  feature = std::move(ordered);
}

void order_by_place(Feature& feature) {
  if (feature.kind != Kind::ordinal && feature.direction == Direction::any) return;
  feature.order.clear();
  for (std::size_t k = 0; k < feature.levels.size(); ++k) feature.order.push_back(static_cast<int>(k));
}

void take_levels(const Schema& schema, Feature& feature, const std::vector<std::string>& known) {
  if (feature.levels == known) return;
  const bool counted = feature.kind == Kind::ordinal || feature.kind == Kind::binary;
  if (counted) refuse_rules(schema, feature, known);
  if (counted) order_by_place(feature);
  order_levels(feature, known);
  if (!counted) return;
  feature.kind = Kind::categorical;
  feature.encoding = Encoding::code;
}

void take_numbers(const Schema& schema, Column& column, const std::vector<std::string>& known) {
  Feature& feature = column.feature;
  std::vector<double> value;
  value.reserve(known.size());
  for (const std::string& level : known) value.push_back(*parse_number(level));
  std::vector<int> place, inside;
  for (std::size_t k = 0; k < value.size(); ++k) {
    place.push_back(static_cast<int>(k));
    if (value[k] >= feature.min.value_or(value[k]) && value[k] <= feature.max.value_or(value[k]))
      inside.push_back(static_cast<int>(k));
  }
  if (std::equal(value.begin(), value.end(), place.begin())) return;
  refuse_rules(schema, feature, known);
  if (feature.kind == Kind::ordinal || feature.direction != Direction::any) {
    feature.order = place;
    std::ranges::sort(feature.order, {}, [&](int k) { return value[static_cast<std::size_t>(k)]; });
  }
  feature.kind = Kind::categorical;
  feature.encoding = Encoding::code;
  feature.levels = known;
  feature.min = feature.max = feature.step = std::nullopt;
  offer_only(feature, inside);
  const auto fill =
      std::find(value.begin(), value.end(), column.fill ? parse_number(*column.fill) : std::nullopt);
  column.fill.reset();
  if (fill != value.end()) column.fill = known[static_cast<std::size_t>(fill - value.begin())];
}

}  // namespace scfe
