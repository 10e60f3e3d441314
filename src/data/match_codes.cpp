// Columns with levels that are a single model input each: text, or the code of a category.
//
//     the file lists the levels     a code is the place in that list; an unknown level is an error
//     it does not                   a code is the place in the schema's `levels`; a note says so
#include <algorithm>
#include <array>
#include <cctype>

#include "data/match_levels.h"
#include "data/match_model.h"
#include "data/name_index.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe {
namespace {

using Levels = std::vector<std::string>;

std::string listed(const Levels& levels) {
  constexpr std::size_t most = 12;
  if (levels.size() <= most) return join(levels, ", ");
  return join(Levels(levels.begin(), levels.begin() + most), ", ") + " ... (" +
         std::to_string(levels.size()) + ")";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Numbers are compared by value (2 equals 2.0), and true/false in any case.
bool is_same_level(const std::string& a, const std::string& b) {
  if (a == b) return true;
  if (const auto value = parse_number(a)) return value == parse_number(b);
  return lower(a) == lower(b) && (lower(a) == "true" || lower(a) == "false");
}

bool has(const Levels& levels, const std::string& level) {
  return std::ranges::any_of(levels, [&](const std::string& l) { return is_same_level(l, level); });
}

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool are_numbers(const Levels& levels) {
  return std::ranges::all_of(levels, [](const std::string& l) { return parse_number(l).has_value(); });
}

// The column that belongs to a model input.
struct InputColumn {
  Column* column = nullptr;
  bool by_name = false;
};

std::vector<InputColumn> input_columns(Schema& schema, const ModelNames& names) {
  const NameIndex index(schema, names.inputs, false);
  const bool by_place = schema.columns.size() == names.inputs.size();
  std::vector<InputColumn> columns(names.inputs.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Part* part = index.find(names.inputs[i]);
    if (part)
      columns[i] = {&schema.columns[part->column], true};
    else if (by_place)
      columns[i] = {&schema.columns[i], false};
  }
  return columns;
}

bool fits(const Column* column, const Levels& list) {
  if (!column) return false;
  if (!column->has_levels()) return are_numbers(list);
  return std::ranges::all_of(column->feature.levels, [&](const std::string& l) { return has(list, l); });
}

// Columns of truth values have levels, but boosters take them as numbers.
bool has_texts(const Column* column) {
  return column && column->has_levels() && column->feature.levels != Levels{"False", "True"};
}

// Assigns lists of levels that the file gives without column names: to its coded inputs, or to columns with
// levels too (LightGBM stores ordered categories as numbers), or to those alone; with or without truth
// values.
void place_lists(const std::vector<InputColumn>& columns, ModelNames& names) {
  const auto inputs_where = [&](const auto& is) {
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is(names.coded[i], columns[i].column)) inputs.push_back(i);
    return inputs;
  };
  const auto has_levels = [](const Column* column) { return column && column->has_levels(); };
  const std::array ways = {
      inputs_where([](bool coded, const Column*) { return coded; }),
      inputs_where([&](bool coded, const Column* column) { return coded || has_levels(column); }),
      inputs_where([&](bool, const Column* column) { return has_levels(column); }),
      inputs_where([](bool coded, const Column* column) { return coded || has_texts(column); }),
      inputs_where([](bool, const Column* column) { return has_texts(column); })};
  const std::vector<std::size_t>* chosen = nullptr;
  for (const auto& inputs : ways) {
    if (inputs.size() != names.lists.size()) continue;
    if (!chosen) chosen = &inputs;
    bool all = true;
    for (std::size_t k = 0; k < inputs.size(); ++k) all &= fits(columns[inputs[k]].column, names.lists[k]);
    if (!all) continue;
    chosen = &inputs;
    break;
  }
  if (!chosen)
    throw Error("pandas_categorical",
                "a list for each of " + counted(ways[1].size(), "column") +
                    " (say in the schema which columns are categories: \"categorical\" with their levels)",
                std::to_string(names.lists.size()));
  for (std::size_t k = 0; k < chosen->size(); ++k) {
    names.levels[(*chosen)[k]] = names.lists[k];
    names.coded[(*chosen)[k]] = true;
  }
}

// Replaces each known level by the schema's spelling of it.
Levels spelled_as(const Levels& own, Levels known) {
  for (std::string& level : known)
    for (const std::string& other : own)
      if (is_same_level(level, other)) level = other;
  return known;
}

// Restores letters that the file has lost, if one of the schema's levels matches.
Levels restored(const Levels& own, Levels known) {
  for (std::string& level : known) {
    const std::size_t kept = level.find('\0');
    if (kept == level.npos) continue;
    const auto fits = [&](const std::string& other) {
      return other.starts_with(level.substr(0, kept)) && letters(other) == letters(level);
    };
    const auto found = std::ranges::find_if(own, fits);
    if (std::ranges::count_if(own, fits) > 1)
      throw Error("levels", "a file that tells them apart (this one has lost the ends of some)",
                  join(own, ", "));
    level = found == own.end() ? level.substr(0, kept) + std::string(level.size() - kept, '?') : *found;
  }
  return known;
}

// The reading of the levels that contains more of the schema's levels.
Levels best_reading(const Levels& own, const Levels& levels, const Levels& lettered) {
  const auto known = [&](const Levels& reading) {
    return std::ranges::count_if(own, [&](const std::string& l) { return has(reading, l); });
  };
  if (lettered.empty() || known(levels) == std::ssize(own)) return levels;
  Levels other = restored(own, lettered);
  return known(other) > known(levels) ? other : levels;
}

void take_known(const Schema& schema, Column& column, const Levels& known, bool coded) {
  Feature& feature = column.feature;
  if (!column.has_levels()) {
    if (coded && known == Levels{"False", "True"}) return;
    if (coded && are_numbers(known)) return take_numbers(schema, column, known);
    throw Error("feature '" + feature.name + "'",
                "a category with the levels " + listed(known) +
                    (coded ? " (as the model has them)" : " (the model reads text)"),
                "numbers");
  }
  for (const std::string& level : feature.levels)
    if (coded && !has(known, level))
      throw unknown_name("feature '" + feature.name + "': levels of the model", "level", level, known);
  const Levels own = feature.levels;
  take_levels(schema, feature, coded ? spelled_as(own, known) : known);
  std::vector<int> places;
  for (std::size_t k = 0; k < feature.levels.size(); ++k)
    if (std::ranges::find(own, feature.levels[k]) != own.end()) places.push_back(static_cast<int>(k));
  if (coded) offer_only(feature, places);  // levels that the schema does not list are no answers
  if (feature.kind == Kind::categorical) feature.encoding = Encoding::code;
}

// For a model file that does not list the levels.
void take_places(Column& column, bool coded, bool keeps_levels, Levels& notes) {
  Feature& feature = column.feature;
  const bool is_new = feature.is_one_hot();
  if (is_new) feature.encoding = Encoding::code;
  if (column.has_levels() && (is_new || coded))
    notes.push_back(
        "the file does not say which code is which level of '" + feature.name +
        "'; codes 0, 1, ... are taken to be the places in the schema's levels: " + listed(feature.levels));
  if (!column.has_levels() && coded && !keeps_levels)
    notes.push_back("the file does not say which code is which value of '" + feature.name +
                    "'; the values are taken to be the codes");
}

}  // namespace

void take_codes(Schema& schema, ModelNames names, std::vector<std::string>& notes) {
  names.coded.resize(names.inputs.size());
  names.levels.resize(names.inputs.size());
  names.lettered.resize(names.inputs.size());
  const std::vector<InputColumn> columns = input_columns(schema, names);
  if (!names.lists.empty()) place_lists(columns, names);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].column) continue;
    Column& column = *columns[i].column;
    const bool coded = names.coded[i];
    const Levels before = column.feature.levels;
    if (!names.levels[i].empty())
      take_known(schema, column, best_reading(before, names.levels[i], names.lettered[i]), coded);
    else if (coded || columns[i].by_name)
      take_places(column, coded, names.keeps_levels, notes);
    if (coded && column.feature.levels != before)
      notes.push_back("levels of '" + column.feature.name +
                      "' are in the model's order: " + listed(column.feature.levels));
  }
}

}  // namespace scfe
