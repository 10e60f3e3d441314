// clang-format off
// The meaning of a table's columns: features with types and limits, the label, and the treatment of missing
// cells. It is inferred from training rows, stored as JSON and edited by people.
//
//     {"format": "scfe-schema", "version": 1,
//      "label": {"column": "class", "classes": ["bad", "good"]},
//      "id": "applicant", "ignore": ["note"],
//      "missing": {"policy": "error", "strings": ["", "NA", "?"]},
//      "features": [
//        {"name": "amount", "type": "integer", "range": [250, 18424], "step": 1, "unit": "DM"},
//        {"name": "housing", "type": "categorical", "levels": ["free", "own", "rent"]}],
//      "rules": ["used <= limit", "rate := amount / months"],
//      "learned_rules": [{"rule": "used <= drawn", "evidence": "0 of 900 rows; 440 expected", "used": true}]}
//
// A feature needs only name and type. Further keys, with their defaults:
//     range      [lo, hi], either may be null   training rows' range   limits of answers
//     decimals   0 .. 15                        as in training rows    answers are multiples of 10^-decimals
//     step       >= 0                                                  or of this; 0: nine significant digits
//     written_decimals  0 .. 15                 as in training rows    digits behind the point, including
//                                                                      trailing zeros: 12.50
//     unit       text                           ""                     for people
//     immutable  true, false                    false
//     direction  "any", "up", "down"            "any"
//     weight     > 0                            1                      in the distance
//     levels     list of texts                                         of categories, and of ordinal and binary
//                                                                      features with text cells
//     encoding   "one_hot", "code"              "one_hot"              model inputs of a category
//     order      levels, lowest first; or true  none                   of a category: neighbours have distance
//                (the order of `levels`)                               1/(levels - 1), and `direction` applies
//     distances  a row of numbers per level     1/sqrt(2) each         [from][to]; 1: a number's whole range
//     transitions  {"a": ["b", "c"], ...}       any                    allowed changes of level; a level that
//                                                                      is not listed cannot change
//     other      a level                        none                   replaces unknown levels
//     fill       a cell                         none                   replaces missing cells (policy impute)
// A class is a text (its name and label cell) or {"name": ..., "values": [cells ...]}, in the order of the
// model's classes. With {"column": "medv", "above": 21.2, "classes": ["low", "high"]} rows with a label
// above 21.2 are in the second class. An unknown key is an error.
// clang-format on
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/feature.h"
#include "scfe/learned_rules.h"
#include "scfe/table.h"

namespace scfe {

enum class Missing { error, drop, impute };

struct Column {
  Feature feature;
  std::string other;                // level that replaces unknown ones; empty: unknown levels are errors
  std::optional<std::string> fill;  // replaces missing cells: median or mode of the training rows
  std::optional<int> written_decimals = {};  // numbers are written with as many decimals: 12.50

  bool has_levels() const { return !feature.levels.empty(); }
};

struct LabelClass {
  std::string name;
  std::vector<std::string> values;  // label cells that mean this class
};

struct Label {
  std::string column;               // empty: no label
  std::vector<LabelClass> classes;  // in the order of the model's classes
  std::optional<double> above;      // numeric label: class 1 if above, else class 0

  // The class of a cell; empty if there is none. Numbers are compared by value: 1.0 equals 1.
  std::optional<int> class_of(std::string_view cell) const;
  // Finds a class by name, else by a label cell. Throws an Error that lists the known names.
  int find(std::string_view name) const;
};

struct Schema {
  std::vector<Column> columns;  // the features, in the order of the model's inputs
  Label label;
  std::string id;                   // column that identifies rows; empty: none
  std::vector<std::string> ignore;  // columns that are known but not used
  Missing missing = Missing::error;
  std::vector<std::string> missing_strings = {"", "NA", "?"};
  std::vector<std::string> rules = {};  // between features (scfe/rules.h), with the learned ones in use
  // All that the training rows taught (scfe/learned_rules.h). With such a list, a fit learns no others.
  std::vector<LearnedRule> learned = {};

  bool is_missing(std::string_view cell) const;
  // The same in a column by its name: with Missing::error, a level of that feature is not missing.
  bool is_missing(std::string_view cell, std::string_view column) const;
  // The rules that are not learned.
  std::vector<std::string> own_rules() const;
  // Position of a feature. Throws an Error that lists the known names if there is none.
  std::size_t find(std::string_view feature) const;
};

struct Inference {
  std::string label = {};                // column; empty: none
  std::string id = {};                   // column; empty: none
  std::vector<std::string> ignore = {};  // columns
  std::optional<double> above = {};      // threshold of a numeric label
  std::vector<std::string> missing_strings = {"", "NA", "?"};
  Missing missing = Missing::error;
  // The number of classes that the model tells apart, which is asked for a label of more than 20 classes.
  // Empty: the model is not known, and such a label is taken for a number.
  std::function<std::size_t()> model_classes = {};
};
// Infers types, ranges, decimals, levels (sorted) and fill values. If all cells are numbers, the column is
// numeric (0/1: binary; whole: integer), otherwise its cells are levels (two: binary). Throws if a column has
// more than 100 levels, or consists of numbers except for a few cells.
Schema infer_schema(const Table& training, const Inference& how);

// Throws an Error with file, place in it ("features[3].range"), what was expected and what was found.
Schema read_schema(const std::string& path);
Schema parse_schema(const std::string& text, const std::string& source);
// JSON with one line per feature; parse_schema reads it back unchanged.
std::string schema_text(const Schema& schema);
void write_schema(const std::string& path, const Schema& schema);
// Checks a schema built in code for contradictions, as parse_schema does.
void check_schema(const Schema& schema, const std::string& source);

}  // namespace scfe
