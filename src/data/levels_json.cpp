#include "data/levels_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/number.h"
#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

int place_of(const JsonCursor& at, const std::string& level, const Feature& feature) {
  const auto found = std::find(feature.levels.begin(), feature.levels.end(), level);
  if (found == feature.levels.end()) at.reject("levels of the feature (" + join(feature.levels, ", ") + ")");
  return static_cast<int>(found - feature.levels.begin());
}

std::vector<int> places_of(const JsonCursor& at, const Feature& feature) {
  std::vector<int> places;
  for (const JsonCursor& level : at.list()) places.push_back(place_of(level, level.text(), feature));
  return places;
}

void read_order(const JsonCursor& at, Feature& feature) {
  if (!at.is_boolean()) {
    feature.order = places_of(at, feature);
    return;
  }
  if (!at.boolean()) return;
  feature.order.resize(feature.levels.size());
  std::iota(feature.order.begin(), feature.order.end(), 0);
}

}  // namespace

void read_level_tables(const JsonCursor& at, Feature& feature) {
  for (const char* key : {"order", "distances", "transitions"})
    if (const auto table = at.find(key); table && feature.kind != Kind::categorical)
      table->reject("this key for categorical features only");
  if (const auto order = at.find("order")) read_order(*order, feature);
  if (const auto distances = at.find("distances"))
    for (const JsonCursor& row : distances->list()) {
      feature.distances.emplace_back();
      for (const JsonCursor& cell : row.list()) feature.distances.back().push_back(cell.number());
    }
  if (const auto transitions = at.find("transitions")) {
    feature.transitions.resize(feature.levels.size());
    for (const auto& [level, next] : transitions->entries())
      feature.transitions[static_cast<std::size_t>(place_of(next, level, feature))] =
          places_of(next, feature);
  }
}

void write_level_tables(const Feature& feature, nlohmann::ordered_json& entry) {
  const auto names = [&](const std::vector<int>& places) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const int place : places) list.push_back(feature.levels[static_cast<std::size_t>(place)]);
    return list;
  };
  if (!feature.order.empty()) entry["order"] = names(feature.order);
  if (!feature.distances.empty()) entry["distances"] = feature.distances;
  if (feature.transitions.empty()) return;
  entry["transitions"] = nlohmann::ordered_json::object();
  for (std::size_t from = 0; from < feature.transitions.size(); ++from)
    if (!feature.transitions[from].empty())
      entry["transitions"][feature.levels[from]] = names(feature.transitions[from]);
}

void check_level_tables(const Feature& feature, const std::string& field) {
  const std::size_t levels = feature.levels.size();
  const std::string count = std::to_string(levels);
  std::vector<int> order = feature.order;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order.size() != levels || order[i] != static_cast<int>(i))
      throw Error(field + ".order", "every level once, lowest first",
                  std::to_string(order.size()) + " of " + count);
  const std::string square = count + " rows of " + count + " numbers >= 0, one per level";
  const auto fits = [&](const std::vector<double>& row) {
    return row.size() == levels &&
           std::all_of(row.begin(), row.end(), [](double d) { return std::isfinite(d) && d >= 0; });
  };
  if (!feature.distances.empty() && feature.distances.size() != levels)
    throw Error(field + ".distances", square, std::to_string(feature.distances.size()) + " rows");
  for (std::size_t i = 0; i < feature.distances.size(); ++i)
    if (!fits(feature.distances[i]))
      throw Error(field + ".distances[" + std::to_string(i) + "]", square, "another row");
  const auto known = [&](int place) { return place >= 0 && static_cast<std::size_t>(place) < levels; };
  bool places = feature.transitions.empty() || feature.transitions.size() == levels;
  for (const std::vector<int>& row : feature.transitions) places = places && std::ranges::all_of(row, known);
  if (!places)
    throw Error(field + ".transitions", "a list of places for each of " + count + " levels", "other ones");
  if (feature.direction != Direction::any && feature.kind == Kind::categorical && feature.order.empty())
    throw Error(field + ".direction", "any: the levels have no order ('order' gives them one)",
                feature.direction == Direction::up ? "up" : "down");
}

}  // namespace scfe
