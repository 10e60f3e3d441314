// A schema brought into the order that the model's own names give.
//
//     inputs    as columns are called, or a level of one: "job_clerk" or "job=clerk"
//     levels    of text inputs: one input, which holds the level's place among those the model knows
//     classes   by the cells that mean them
//
// A file that names nothing, or calls its inputs by other names, is taken as it comes: column by column.
#include "data/match_model.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

// "loan, amount" as exporters write it: "loan__amount".
std::string plain(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

std::vector<int> places_of(const std::vector<std::string>& names, const std::vector<std::string>& among) {
  std::vector<int> places;
  for (const std::string& name : names)
    places.push_back(static_cast<int>(std::ranges::find(among, name) - among.begin()));
  return places;
}

// The model's levels first, as it has them; any that it does not know behind them.
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

// The model's levels in place of the schema's. What counts their places, an ordinal's order and a binary's
// direction, becomes the order of a category; a rule that does cannot be kept.
void take_levels(Schema& schema, Feature& feature, const std::vector<std::string>& known) {
  if (feature.levels == known) return;
  const bool counted = feature.kind == Kind::ordinal || feature.kind == Kind::binary;
  for (const std::string& rule : schema.rules)
    if (counted && rule.find(feature.name) != rule.npos)
      throw Error("feature '" + feature.name + "': levels",
                  join(known, ", ") + " as the model has them, for the rule '" + rule + "' counts them",
                  join(feature.levels, ", "));
  if (feature.kind == Kind::ordinal || (counted && feature.direction != Direction::any))
    for (std::size_t k = 0; k < feature.levels.size(); ++k) feature.order.push_back(static_cast<int>(k));
  order_levels(feature, known);
  if (!counted) return;
  feature.kind = Kind::categorical;
  feature.encoding = Encoding::code;
}

// Columns that the model reads as text become one input each.
void take_text(Schema& schema, const ModelNames& names) {
  const bool by_place = schema.columns.size() == names.levels.size();
  for (std::size_t i = 0; i < names.levels.size(); ++i) {
    if (names.levels[i].empty()) continue;
    auto column = std::ranges::find_if(
        schema.columns, [&](const Column& c) { return plain(c.feature.name) == plain(names.inputs[i]); });
    if (column == schema.columns.end() && by_place)
      column = schema.columns.begin() + static_cast<std::ptrdiff_t>(i);
    if (column == schema.columns.end()) continue;
    Feature& feature = column->feature;
    if (!column->has_levels())
      throw Error("feature '" + feature.name + "'",
                  "a category with the levels " + join(names.levels[i], ", ") + " (the model reads text)",
                  "numbers");
    take_levels(schema, feature, names.levels[i]);
    if (feature.kind == Kind::categorical) feature.encoding = Encoding::code;
  }
}

// Which column an input is of, and its level if it is one of several.
struct Part {
  std::size_t column = 0;
  std::string level = {};
};
using Parts = std::map<std::string, Part, std::less<>>;

// Exact names first: plain ones may be those of several columns, and are none's then.
Parts parts_of(const Schema& schema) {
  Parts exact, spelled;
  std::set<std::string> twice;
  const auto add = [&](const std::string& name, const Part& part) {
    exact.try_emplace(name, part);
    const auto [at, is_new] = spelled.try_emplace(plain(name), part);
    if (!is_new && (at->second.column != part.column || at->second.level != part.level))
      twice.insert(at->first);
  };
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Feature& feature = schema.columns[c].feature;
    if (!feature.is_one_hot()) add(feature.name, {c, {}});
    if (feature.encoding != Encoding::one_hot || feature.kind == Kind::ordinal) continue;
    for (const std::string& level : feature.levels)
      for (const char* between : {"_", "="}) add(feature.name + between + level, {c, level});
  }
  for (const auto& [name, part] : spelled)
    if (!twice.contains(name)) exact.try_emplace(name, part);
  return exact;
}

const Part* part_named(const Parts& parts, const std::string& name) {
  auto found = parts.find(name);
  if (found == parts.end()) found = parts.find(plain(name));
  return found == parts.end() || name.empty() ? nullptr : &found->second;
}

// The column of each input, as they come.
std::vector<std::size_t> columns_in_turn(const Schema& schema) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    columns.insert(columns.end(), schema.columns[c].feature.width(), c);
  return columns;
}

// Some inputs have no name that is a column's: those that have one must stand where they are expected.
void check_places(const Schema& schema, const ModelNames& names, const Parts& parts,
                  std::vector<std::string>& notes) {
  const std::vector<std::size_t> turn = columns_in_turn(schema);
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    const Part* part = part_named(parts, names.inputs[i]);
    if (!part && !names.inputs[i].empty()) unknown.push_back(names.inputs[i]);
    if (part && (i >= turn.size() || turn[i] != part->column))
      throw Error("input '" + names.inputs[i] + "'",
                  "columns in the order of the inputs (some have no column's name)",
                  "the column '" + schema.columns[part->column].feature.name + "' at another place");
  }
  if (!unknown.empty())
    notes.push_back("no column for the model's inputs " + join(unknown, ", ") +
                    "; they are taken in the order of the columns");
}

// Levels that are inputs, in the model's order. One of two alone is a 1 for itself.
void take_dummies(Schema& schema, std::map<std::size_t, std::vector<std::string>>& levels) {
  for (auto& [column, own] : levels) {
    Feature& feature = schema.columns[column].feature;
    if (feature.kind == Kind::binary && own.size() == 1)
      take_levels(schema, feature, {feature.levels[feature.levels[0] == own[0] ? 1 : 0], own[0]});
    else if (feature.kind == Kind::binary)
      feature.kind = Kind::categorical;
    if (feature.is_one_hot()) order_levels(feature, own);
  }
}

void order_columns(Schema& schema, const ModelNames& names, std::vector<std::string>& notes) {
  const Parts parts = parts_of(schema);
  std::vector<std::size_t> order;
  std::map<std::size_t, std::vector<std::string>> levels;
  std::size_t named = 0;
  for (const std::string& name : names.inputs) {
    const Part* part = part_named(parts, name);
    if (!part) continue;
    ++named;
    if (order.empty() || order.back() != part->column) order.push_back(part->column);
    if (!part->level.empty()) levels[part->column].push_back(part->level);
  }
  if (named == 0) return;
  if (named < names.inputs.size()) return check_places(schema, names, parts, notes);
  std::vector<std::size_t> sorted = order;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Error("inputs of the model", "the levels of a column side by side", join(names.inputs, ", "));
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    if (!std::ranges::binary_search(sorted, c))
      throw Error("inputs of the model", "one for the column '" + schema.columns[c].feature.name + "'",
                  join(names.inputs, ", "));
  take_dummies(schema, levels);
  if (std::ranges::is_sorted(order)) return;
  std::vector<Column> columns;
  for (const std::size_t c : order) columns.push_back(schema.columns[c]);
  schema.columns = std::move(columns);
  notes.push_back("columns are matched with the model's inputs by name: " + join(names.inputs, ", "));
}

void order_classes(Label& label, const ModelNames& names, std::vector<std::string>& notes) {
  if (label.above || label.classes.size() != names.classes.size()) return;
  std::vector<LabelClass> classes;
  std::vector<int> order;
  for (const std::string& name : names.classes) {
    auto found = label.class_of(name);
    for (std::size_t c = 0; c < label.classes.size() && !found; ++c)
      if (label.classes[c].name == name) found = static_cast<int>(c);
    if (!found || std::ranges::find(order, *found) != order.end()) continue;
    order.push_back(*found);
    classes.push_back(label.classes[static_cast<std::size_t>(*found)]);
  }
  if (order.empty()) return;
  if (classes.size() != label.classes.size()) {
    notes.push_back("the model's classes " + join(names.classes, ", ") +
                    " are not those of the label; they are taken in the label's order");
    return;
  }
  if (std::ranges::is_sorted(order)) return;
  label.classes = std::move(classes);
  notes.push_back("classes are in the model's order: " + join(names.classes, ", "));
}

}  // namespace

Schema match_model(const Schema& schema, const ModelFile& file, std::vector<std::string>* notes) {
  const ModelNames names = model_names(file);
  Schema matched = schema;
  std::vector<std::string> said;
  try {
    take_text(matched, names);
    order_columns(matched, names, said);
    order_classes(matched.label, names, said);
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
  for (const std::string& note : said)
    if (notes) notes->push_back(file.source + ": " + note);
  return matched;
}

}  // namespace scfe
