// Brings a schema into the order of the names in the model file.
//
//     inputs    are named like a column, or like one of its levels: "job_clerk" or "job=clerk"
//     levels    of a text or coded input: the input is the level's place among those that the model knows
//     classes   are matched by the label cells that mean them
//
// If the file has no names, or none that match, columns are taken in their given order.
#include "data/match_model.h"

#include <algorithm>
#include <map>

#include "data/match_levels.h"
#include "data/name_index.h"
#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

// The column of each model input if columns are taken in their given order.
std::vector<std::size_t> columns_in_turn(const Schema& schema) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < schema.columns.size(); ++c)
    columns.insert(columns.end(), schema.columns[c].feature.width(), c);
  return columns;
}

// For inputs of which only some match a column: those must be at their column's position.
void check_places(const Schema& schema, const ModelNames& names, const NameIndex& parts,
                  std::vector<std::string>& notes) {
  const std::vector<std::size_t> turn = columns_in_turn(schema);
  std::vector<std::string> unknown;
  for (const std::string& input : names.inputs)
    if (!input.empty() && !parts.find(input)) unknown.push_back(input);
  for (std::size_t i = 0; i < names.inputs.size(); ++i) {
    const Part* part = parts.find(names.inputs[i]);
    if (part && (i >= turn.size() || turn[i] != part->column))
      throw Error("inputs of the model",
                  "columns with the names of all inputs, or columns in the order of the inputs",
                  (unknown.empty() ? "inputs without a name" : "no column for " + join(unknown, ", ")) +
                      " and the column '" + schema.columns[part->column].feature.name + "' at another place");
  }
  if (!unknown.empty())
    notes.push_back("no column for the model's inputs " + join(unknown, ", ") +
                    "; they are taken in the order of the columns");
}

// One input for each of the two levels.
void widen(Feature& binary) {
  order_by_place(binary);
  binary.kind = Kind::categorical;
}

// Puts one-hot levels into the model's order. For a binary feature with a single input, that level becomes 1.
void take_dummies(Schema& schema, std::map<std::size_t, std::vector<std::string>>& levels) {
  for (auto& [column, own] : levels) {
    Feature& feature = schema.columns[column].feature;
    if (feature.kind == Kind::binary && own.size() == 1)
      take_levels(schema, feature, {feature.levels[feature.levels[0] == own[0] ? 1 : 0], own[0]});
    else if (feature.kind == Kind::binary)
      widen(feature);
    if (feature.is_one_hot()) order_levels(feature, own);
  }
}

void order_columns(Schema& schema, const ModelNames& names, std::vector<std::string>& notes) {
  const NameIndex parts(schema, names.inputs, true);
  std::vector<std::size_t> order;
  std::map<std::size_t, std::vector<std::string>> levels;
  std::size_t named = 0;
  for (const std::string& name : names.inputs) {
    const Part* part = parts.find(name);
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
  columns.reserve(order.size());
  for (const std::size_t c : order) columns.push_back(schema.columns[c]);
  schema.columns = std::move(columns);
  notes.push_back("columns are matched with the model's inputs by name: " + join(names.inputs, ", "));
}

// For strings that usually mean "missing" and are levels that the model was trained with ("?" in the Adult
// table): says that they are levels there, or does not offer them if the schema drops or fills missing cells.
void settle_missing(Schema& schema, std::vector<std::string>& notes) {
  for (Column& column : schema.columns) {
    Feature& feature = column.feature;
    std::vector<int> known;
    for (std::size_t k = 0; k < feature.levels.size(); ++k) {
      const std::string& level = feature.levels[k];
      if (!schema.is_missing(level, feature.name)) known.push_back(static_cast<int>(k));
      if (schema.is_missing(level) && !schema.is_missing(level, feature.name))
        notes.push_back("'" + level + "' is a level of '" + feature.name +
                        "', so it does not mean 'missing' there");
    }
    offer_only(feature, known);
  }
}

// Makes every binary column with levels a category of two inputs if the model has exactly so many inputs more
// than the schema: it was trained on one-hot columns for these, too.
void widen_binaries(Schema& schema, const ModelNames& names, std::vector<std::string>& notes) {
  std::vector<std::string> binaries;
  for (const Column& column : schema.columns)
    if (column.feature.kind == Kind::binary && column.has_levels()) binaries.push_back(column.feature.name);
  const bool unnamed = std::ranges::all_of(names.inputs, &std::string::empty);
  if (binaries.empty() || !unnamed || names.inputs.size() != columns_in_turn(schema).size() + binaries.size())
    return;
  for (Column& column : schema.columns)
    if (column.feature.kind == Kind::binary && column.has_levels()) widen(column.feature);
  notes.push_back("the model has " + std::to_string(names.inputs.size()) +
                  " inputs, so these columns have one for each of their two levels: " + join(binaries, ", "));
}

// A runtime would truncate fractions of inputs that are declared as integers.
void expect_whole(const Schema& schema, const ModelNames& names) {
  const std::vector<std::size_t> turn = columns_in_turn(schema);
  for (std::size_t i = 0; i < std::min(turn.size(), names.whole.size()); ++i) {
    const Feature& feature = schema.columns[turn[i]].feature;
    if (!names.whole[i].empty() && feature.kind == Kind::continuous)
      throw Error("input '" + names.whole[i] + "'",
                  "whole numbers, as the file declares (\"type\": \"integer\" in the schema)",
                  "the continuous column '" + feature.name + "'");
  }
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
  if (order.empty()) {
    std::vector<std::string> own, places;
    for (const LabelClass& c : label.classes) {
      places.push_back(std::to_string(own.size()));
      own.push_back(c.name);
    }
    if (names.classes != places)  // 0, 1, ... are places, not names
      notes.push_back("none of the model's classes " + join(names.classes, ", ") + " is one of the label's " +
                      join(own, ", ") + "; they are taken in the label's order");
    return;
  }
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

namespace {

// Functions take one input for each column, unless they take as many as there are levels.
Schema with_codes(Schema schema, const Model& model) {
  if (model.features() == columns_in_turn(schema).size()) return schema;
  for (Column& column : schema.columns)
    if (column.feature.kind == Kind::categorical) column.feature.encoding = Encoding::code;
  return schema;
}

}  // namespace

Schema match_model(const Schema& schema, const ModelFile& file, std::vector<std::string>* notes) {
  if (file.model) return with_codes(schema, *file.model);
  const ModelNames names = model_names(file);
  Schema matched = schema;
  std::vector<std::string> said;
  try {
    take_codes(matched, names, said);
    order_columns(matched, names, said);
    settle_missing(matched, said);
    widen_binaries(matched, names, said);
    expect_whole(matched, names);
    order_classes(matched.label, names, said);
  } catch (const Error& error) {
    throw Error(file.source + ": " + error.what());
  }
  for (const std::string& note : said)
    if (notes) notes->push_back(file.source + ": " + note);
  return matched;
}

}  // namespace scfe
