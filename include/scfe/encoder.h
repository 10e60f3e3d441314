// Between rows of a table and inputs of the model, and back.
//
//     number -> itself;  level of an ordinal, binary or "code" feature -> its place 0, 1, ...
//     level of a category -> one input per level, 1 for the row's own and 0 for the others
//
// Columns are matched by name, never by place. A missing column is an Error that names it, one that the
// schema does not know a warning. Decoding an encoded row gives its cells back.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/row_limits.h"
#include "scfe/schema.h"
#include "scfe/table.h"

namespace scfe {

// A missing cell.
struct Gap {
  std::size_t row, feature;
};

struct Encoded {
  Matrix inputs;                  // one row of model inputs for each row kept
  std::vector<int> labels;        // class of each; empty unless asked for
  std::vector<std::size_t> rows;  // which row of the table each is: all, unless rows with gaps are dropped
  std::vector<Gap> gaps = {};     // that were filled, or the first of each row that is dropped
};

class Encoder {
 public:
  explicit Encoder(Schema schema);

  const Schema& schema() const { return schema_; }
  // Width of the model's input, and what each input is called: "amount", "housing=own".
  std::size_t inputs() const { return inputs_; }
  std::vector<std::string> input_names() const;
  // What the Explainer is told; levels of ordinal and binary features are whole numbers from 0.
  std::vector<Feature> features() const;

  // Whether a column of that name is a feature, the label, the id, or ignored.
  bool knows(std::string_view column) const;
  // Columns that the schema does not know, one line each: "rows.csv: column 'note' is not used". Limits of
  // rows (scfe/row_limits.h) are known.
  std::vector<std::string> warnings(const Table& table) const;

  // Error naming file, row and column for a bad cell, an unknown level, or a missing cell by policy.
  Encoded encode(const Table& table) const;
  // With the classes of the label column. A row without a label is an Error, or dropped if the policy is not
  // `error`.
  Encoded encode_labelled(const Table& table) const;

  // The limits that columns NAME:min, NAME:max and NAME:fixed give these rows, one for each; empty where
  // there is no such column. Error naming file, row and column on a cell that makes no sense, and on a column
  // whose NAME is no feature or whose ending is another.
  std::vector<RowLimits> row_limits(const Table& table, std::span<const std::size_t> rows) const;

  // The cells of one row, in the schema's order and in each column's own precision.
  std::vector<std::string> decode(std::span<const double> inputs) const;
  // The same, but a feature whose value the row of the table already has keeps the table's own text.
  std::vector<std::string> decode(std::span<const double> inputs, const Table& table, std::size_t row) const;
  // The value in one cell, a number or the place of a level; empty if it is none of the feature.
  std::optional<double> value_of(std::size_t feature, std::string_view cell) const;
  // One feature's cell; `value` is a number or the place of a level.
  std::string text(std::size_t feature, double value) const;
  // The value of each feature (number or place of its level) behind the inputs; Error unless exactly one
  // level of each group is on.
  std::vector<double> values(std::span<const double> inputs) const;

 private:
  Encoded encode_rows(const Table& table, bool labelled) const;
  std::vector<std::size_t> positions(const Table& table) const;
  double checked_value(const Table& table, std::size_t row, std::size_t position, std::size_t feature) const;
  bool encode_row(const Table& table, std::size_t row, std::span<const std::size_t> position,
                  std::span<double> inputs, std::vector<Gap>& gaps) const;

  Schema schema_;
  std::size_t inputs_ = 0;
  std::vector<std::map<std::string, double, std::less<>>> places_;  // of the levels of each feature
};

}  // namespace scfe
