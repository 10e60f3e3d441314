// What the columns of a table mean: which are features, of which type, what may be done to them, which one is
// the label, and what happens to missing cells. Inferred from training rows, kept as JSON, edited by people.
//
//     {"format": "scfe-schema", "version": 1,
//      "label": {"column": "class", "classes": ["bad", "good"]},
//      "id": "applicant", "ignore": ["note"],
//      "missing": {"policy": "error", "strings": ["", "NA", "?"]},
//      "features": [
//        {"name": "amount", "type": "integer", "range": [250, 18424], "step": 1, "unit": "DM"},
//        {"name": "housing", "type": "categorical", "levels": ["free", "own", "rent"]}],
//      "rules": ["used <= limit", "rate := amount / months"]}
//
// Of a feature only name and type are required. Further keys, with their defaults:
//     range      [lo, hi], either may be null   training rows' own    where answers may go
//     decimals   0 .. 15                        training rows' own    answers are multiples of 10^-decimals;
//     step       >= 0                                                 or of this (0: nine significant digits)
//     written_decimals  0 .. 15                 training rows' own    digits behind the point that every
//     number
//                                                                     has, zeros at its end included: 12.50
//     unit       text                           ""                    for people
//     immutable  true, false                    false
//     direction  "any", "up", "down"            "any"
//     weight     > 0                            1                     in the distance
//     levels     list of texts                                        of a category; of ordinal and binary
//                                                                     features whose cells are no numbers
//     encoding   "one_hot", "code"              "one_hot"             how a category enters the model
//     order      levels, lowest first; or true  none                  of a category: neighbours are
//                (as `levels` has them)                               1/(levels - 1) apart, and it has a
//                                                                     direction
//     distances  a row of numbers per level     1/sqrt(2) each        [from][to], 1: as far as a whole range
//     transitions  {"a": ["b", "c"], ...}       any                   levels that may follow; a level
//                                                                     not named stays
//     other      a level                        none                  stands for unknown levels
//     fill       a cell                         none                  stands for a missing cell (impute)
// A class is a text (its name, and the cell that means it) or {"name": ..., "values": [cells ...]}. With
// {"column": "medv", "above": 21.2, "classes": ["low", "high"]} the label is whether the number is above.
// Their order is that of the model's classes. An unknown key is an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/feature.h"
#include "scfe/table.h"

namespace scfe {

enum class Missing { error, drop, impute };

struct Column {
  Feature feature;
  std::string other;                         // level that stands for unknown ones; empty: they are an error
  std::optional<std::string> fill;           // stands for a missing cell: median or mode of the training rows
  std::optional<int> written_decimals = {};  // numbers get zeros until they have as many: 12.5 is 12.50

  bool has_levels() const { return !feature.levels.empty(); }
};

struct LabelClass {
  std::string name;
  std::vector<std::string> values;  // cells of the label column that mean it
};

struct Label {
  std::string column;               // empty: no label
  std::vector<LabelClass> classes;  // in the order of the model's classes
  std::optional<double> above;      // numeric label: class 1 above, class 0 otherwise

  // Class number of a cell; empty if it means none. Numbers are compared as numbers: 1.0 is 1.
  std::optional<int> class_of(std::string_view cell) const;
  // By name or, where no class has that name, by a cell's value; Error naming the known ones.
  int find(std::string_view name) const;
};

struct Schema {
  std::vector<Column> columns;  // the features, in the order of the model's inputs
  Label label;
  std::string id;                   // column that names a row; empty: none
  std::vector<std::string> ignore;  // further columns that are known and not used
  Missing missing = Missing::error;
  std::vector<std::string> missing_strings = {"", "NA", "?"};
  std::vector<std::string> rules = {};  // between features (scfe/rules.h)

  bool is_missing(std::string_view cell) const;
  // Position of a feature; Error naming it and the known ones.
  std::size_t find(std::string_view feature) const;
};

struct Inference {
  std::string label = {};                // column; empty: none
  std::string id = {};                   // column; empty: none
  std::vector<std::string> ignore = {};  // columns
  std::optional<double> above = {};      // threshold of a numeric label
  std::vector<std::string> missing_strings = {"", "NA", "?"};
  Missing missing = Missing::error;
};
// Types, ranges, decimals, levels (sorted) and fill values from the training rows. Cells that are all numbers
// make a numeric column (0/1: binary; whole: integer), anything else levels (two: binary). Error where a
// column is neither: more than 100 levels, or numbers but for a few cells.
Schema infer_schema(const Table& training, const Inference& how);

// Error naming the file, the place within it ("features[3].range"), what was expected and what came.
Schema read_schema(const std::string& path);
Schema parse_schema(const std::string& text, const std::string& source);
// One line a feature. parse_schema gives the same schema back.
std::string schema_text(const Schema& schema);
void write_schema(const std::string& path, const Schema& schema);
// Contradictions within a schema made by hand: what parse_schema checks too.
void check_schema(const Schema& schema, const std::string& source);

}  // namespace scfe
