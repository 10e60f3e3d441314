// Converts rows of a table to model inputs and back.
//
//     number                                         -> itself
//     level of an ordinal, binary or "code" feature  -> its place 0, 1, ...
//     level of a one-hot category                    -> one input per level: 1 for the row's level, else 0
//
// Columns are matched by name, not by position. A missing column is an error; a column that the schema does
// not know is a warning. Decoding an encoded row returns its cells.
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
  Matrix inputs;            // model inputs, one row for each row that is kept; not set by encode_values()
  std::vector<int> labels;  // class of each row; only set by encode_labelled()
  std::vector<std::size_t> rows;  // position of each row in the table; differs if rows are dropped
  std::vector<Gap> gaps = {};     // missing cells that were filled, or the first of each dropped row
  Matrix values = {};             // one value per feature; only set by encode_values()
};

class Encoder {
 public:
  explicit Encoder(Schema schema);

  const Schema& schema() const { return schema_; }
  // The number of model inputs, and the name of each: "amount", "housing=own".
  std::size_t inputs() const { return inputs_; }
  std::vector<std::string> input_names() const;
  // The features for the Explainer. Levels of ordinal and binary features are numbered from 0.
  std::vector<Feature> features() const;

  // True if the column is a feature, the label, the id, or ignored.
  bool knows(std::string_view column) const;
  // A line for each column that the schema does not know: "rows.csv: column 'note' is not used". Columns with
  // limits of rows (scfe/row_limits.h) are known.
  std::vector<std::string> warnings(const Table& table) const;

  // Throws an Error with file, row and column on a bad cell, an unknown level or, by policy, a missing cell.
  Encoded encode(const Table& table) const;
  // The same with the classes of the label column. A row without a label is an error, or dropped if the
  // policy is not `error`.
  Encoded encode_labelled(const Table& table) const;
  // The same rows with one value per feature in place of the model's inputs, with or without classes. A
  // category of thousands of levels then takes one number per row.
  Encoded encode_values(const Table& table, bool labelled) const;

  // The limits of each row from columns NAME:min, NAME:max and NAME:fixed; empty without such columns. Throws
  // an Error with file, row and column on a bad cell, an unknown NAME or an unknown ending.
  std::vector<RowLimits> row_limits(const Table& table, std::span<const std::size_t> rows) const;

  // The cells of one row in the schema's order, each with its column's precision.
  std::vector<std::string> decode(std::span<const double> inputs) const;
  // The same, but unchanged features keep the text of the table's row.
  std::vector<std::string> decode(std::span<const double> inputs, const Table& table, std::size_t row) const;
  // The value of a cell: a number or the place of a level. Empty if the cell is invalid.
  std::optional<double> value_of(std::size_t feature, std::string_view cell) const;
  // The value of a number as it is, for a feature without levels. Empty if the feature cannot have it.
  std::optional<double> value_of(std::size_t feature, double number) const;
  // The cell for a value, which is a number or the place of a level.
  std::string text(std::size_t feature, double value) const;
  // The value of each feature (number or place of its level). Throws unless exactly one level of each one-hot
  // group is 1.
  std::vector<double> values(std::span<const double> inputs) const;
  // The model's inputs for one value per feature.
  void to_inputs(std::span<const double> values, std::span<double> inputs) const;

 private:
  static bool limits_rows(std::string_view column);  // True for NAME:min and the like, whatever NAME is.
  enum class Form { inputs, values };
  Encoded encode_rows(const Table& table, bool labelled, Form form) const;
  void refuse_other_tables(const Table& table) const;
  std::vector<std::size_t> positions(const Table& table) const;
  double checked_value(const Table& table, std::size_t row, std::size_t position, std::size_t feature) const;
  bool is_gap(const Table& table, std::size_t row, std::size_t position) const;
  std::optional<double> cell_value(const Table& table, std::size_t row, std::size_t position,
                                   std::size_t feature) const;
  bool encode_row(const Table& table, std::size_t row, std::span<const std::size_t> position,
                  std::span<double> values, std::vector<Gap>& gaps) const;
  void expect_label(const Table& table) const;

  Schema schema_;
  std::size_t inputs_ = 0;
  std::vector<std::map<std::string, double, std::less<>>> places_;  // levels and their places, by feature
};

}  // namespace scfe
