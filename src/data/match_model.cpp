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

// Columns that the model reads as text become one input each.
void take_text(Schema& schema, const ModelNames& names) {
  const bool by_place = schema.columns.size() == names.levels.size();
  for (std::size_t i = 0; i < names.levels.size(); ++i) {
    if (names.levels[i].empty()) continue;
    auto column = std::ranges::find_if(schema.columns, [&](const Column& c) {
      const std::string& name = c.feature.name;
      return !names.inputs.empty() && (name == names.inputs[i] || plain(name) == names.inputs[i]);
    });
    if (column == schema.columns.end() && by_place)
      column = schema.columns.begin() + static_cast<std::ptrdiff_t>(i);
    if (column == schema.columns.end()) continue;
    Feature& feature = column->feature;
    if (!column->has_levels())
      throw Error("feature '" + feature.name + "'",
                  "a category with the levels " + join(names.levels[i], ", ") + " (the model reads text)",
                  "numbers");
    if (feature.kind == Kind::ordinal && feature.levels != names.levels[i]) {  // its order is not the model's
      feature.kind = Kind::categorical;
      for (std::size_t k = 0; k < feature.levels.size(); ++k) feature.order.push_back(static_cast<int>(k));
    }
    order_levels(feature, names.levels[i]);
    if (feature.kind == Kind::binary && feature.levels.size() != 2) feature.kind = Kind::categorical;
    if (feature.kind == Kind::categorical) feature.encoding = Encoding::code;
  }
}

// Which column an input is of, and its level if it is one of several.
struct Part {
  std::size_t column = 0;
  std::string level = {};
};

std::map<std::string, Part, std::less<>> parts_of(const Schema& schema) {
  std::map<std::string, Part, std::less<>> parts;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const Feature& feature = schema.columns[c].feature;
    if (feature.encoding == Encoding::one_hot)
      for (const std::string& level : feature.levels)
        for (const char* between : {"_", "="}) parts[feature.name + between + level] = {c, level};
  }
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    if (schema.columns[c].feature.is_one_hot()) continue;
    const std::string& name = schema.columns[c].feature.name;
    parts[name] = {c, {}};
    parts.try_emplace(plain(name), Part{c, {}});
  }
  return parts;
}

void order_columns(Schema& schema, const ModelNames& names, std::vector<std::string>& notes) {
  const auto parts = parts_of(schema);
  std::vector<std::string> unknown;
  std::vector<std::size_t> order;
  std::map<std::size_t, std::vector<std::string>> levels;
  for (const std::string& name : names.inputs) {
    const auto found = parts.find(name);
    if (found == parts.end()) {
      unknown.push_back(name);
      continue;
    }
    const auto& [column, level] = found->second;
    if (order.empty() || order.back() != column) order.push_back(column);
    if (!level.empty()) levels[column].push_back(level);
  }
  if (order.empty()) return;
  if (!unknown.empty()) {
    notes.push_back("no column for the model's inputs " + join(unknown, ", ") +
                    "; they are taken in the order of the columns");
    return;
  }
  std::vector<std::size_t> sorted = order;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end())
    throw Error("inputs of the model", "the levels of a column side by side", join(names.inputs, ", "));
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    if (!std::ranges::binary_search(sorted, c))
      throw Error("inputs of the model", "one for the column '" + schema.columns[c].feature.name + "'",
                  join(names.inputs, ", "));
  for (const auto& [column, own] : levels) {
    Feature& feature = schema.columns[column].feature;
    feature.kind = Kind::categorical;
    order_levels(feature, own);
  }
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
  if (classes.size() != label.classes.size() || std::ranges::is_sorted(order)) return;
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
