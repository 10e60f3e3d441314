// Derives a schema from the training rows alone.
//
//     all cells numbers    0 and 1 only: binary;  whole: integer;  else continuous
//     otherwise            two levels: binary;  up to 100: categorical
//     typed truth values   binary with the levels False and True
//     decimals             those of the column's most precise cell; above nine: nine significant digits
//     written decimals     if every cell has the same number of digits behind the point
#include <algorithm>
#include <cmath>
#include <map>

#include "data/number.h"
#include "data/schema.h"
#include "scfe/error.h"
#include "scfe/utf8.h"

namespace scfe {
namespace {

constexpr std::size_t most_levels = 100;
constexpr std::size_t few_classes = 20;  // a label of more is a number, unless the model has as many classes
constexpr int most_decimals = 9;
constexpr std::size_t few_levels = 20;  // above this, text among mostly numbers is a typing error

struct Contents {
  std::vector<double> numbers;                // the cells that are numbers
  std::map<std::string, std::size_t> counts;  // how often each distinct cell occurs
  std::optional<std::size_t> no_number;       // first row whose cell is no number
  int decimals = 0;

  std::size_t cells() const {
    std::size_t sum = 0;
    for (const auto& [cell, count] : counts) sum += count;
    return sum;
  }
};

// Stops counting distinct cells once there are more than `most`: numeric columns can have millions.
Contents contents(const Table& table, std::size_t column, const Schema& schema, std::size_t most) {
  Contents found;
  bool counting = true;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string_view cell = table.cell(row, column);
    if (schema.is_missing(cell)) continue;
    const auto typed = table.number(row, column);
    if (typed && !std::isfinite(*typed))
      throw Error(table.place(row, table.columns[column]), "a finite number", "'" + std::string(cell) + "'");
    if (const auto value = typed ? typed : parse_number(cell)) {
      found.numbers.push_back(*value);
      found.decimals = std::max(found.decimals, decimals_of(cell));
    } else {
      if (!found.no_number) found.no_number = row;
      if (!found.counts.contains(std::string(cell)))
        require_utf8(cell, table.place(row, table.columns[column]));
    }
    if (counting || found.no_number) ++found.counts[std::string(cell)];
    counting = found.counts.size() <= most;
    if (!counting && found.no_number) break;
  }
  return found;
}

Column numeric_column(Contents found) {
  Column column;
  Feature& f = column.feature;
  std::ranges::sort(found.numbers);
  f.min = found.numbers.front();
  f.max = found.numbers.back();
  const bool whole = std::ranges::all_of(found.numbers, [](double x) { return x == std::round(x); });
  const bool zero_one = std::ranges::all_of(found.numbers, [](double x) { return x == 0 || x == 1; });
  f.kind = zero_one && *f.min != *f.max ? Kind::binary : whole ? Kind::integer : Kind::continuous;
  f.step = found.decimals > most_decimals ? 0 : step_of_decimals(found.decimals);
  column.fill = number_text(found.numbers[(found.numbers.size() - 1) / 2]);
  return column;
}

Column level_column(const Contents& found) {
  Column column;
  std::size_t most = 0;
  for (const auto& [level, count] : found.counts) {
    column.feature.levels.push_back(level);
    if (count <= most) continue;
    most = count;
    column.fill = level;
  }
  column.feature.kind = found.counts.size() == 2 ? Kind::binary : Kind::categorical;
  return column;
}

// A typed column of categories has all its levels, in its own order: codes in a model may mean them.
Column category_column(const TypedColumn& typed, const Contents& found) {
  Column column = level_column(found);
  Feature& feature = column.feature;
  feature.levels = *typed.texts;
  feature.kind = typed.texts->size() == 2 ? Kind::binary : Kind::categorical;
  if (typed.is_ordered && feature.kind == Kind::categorical)
    for (std::size_t level = 0; level < typed.texts->size(); ++level)
      feature.order.push_back(static_cast<int>(level));
  return column;
}

bool is_boolean(const TypedColumn* typed) {
  return typed != nullptr && !typed->has_texts && typed->written_as == TypedColumn::Numbers::booleans;
}

// A typed column of truth values has both, as a category has all its levels.
Column boolean_column(const Contents& found) {
  Column column = level_column(found);
  column.feature.levels = {"False", "True"};
  column.feature.kind = Kind::binary;
  return column;
}

Column infer_column(const Table& table, std::size_t index, const Schema& schema) {
  Contents found = contents(table, index, schema, most_levels);
  const std::string& name = table.columns[index];
  require_utf8(name, table.source + ": column " + std::to_string(index + 1));
  if (found.numbers.empty() && found.counts.empty())
    throw Error(table.source + ": column '" + name + "'", "at least one cell that is not missing", "none");
  Column column;
  const TypedColumn* typed = table.typed(index);
  if (typed != nullptr && typed->is_category && typed->texts->size() <= most_levels) {
    column = category_column(*typed, found);
  } else if (is_boolean(typed)) {
    column = boolean_column(found);
  } else if (!found.no_number) {
    column = numeric_column(std::move(found));
    column.written_decimals = written_decimals(table, index, schema);
  } else {
    const std::size_t levels = found.counts.size();
    const bool slip = levels > few_levels && 2 * found.numbers.size() > found.cells();
    if (slip || levels > most_levels)
      throw Error(table.place(*found.no_number, name),
                  slip ? "a number as in most rows"
                       : "a number, or a column of at most 100 levels (--ignore or --id leave a column out)",
                  "'" + std::string(table.cell(*found.no_number, index)) + "'");
    column = level_column(found);
  }
  column.feature.name = name;
  return column;
}

Label infer_label(const Table& table, const Inference& how, const Schema& schema) {
  Label label{how.label, {}, how.above};
  if (how.above) {
    const std::string limit = number_text(*how.above);
    label.classes = {{"at most " + limit, {}}, {"above " + limit, {}}};
    return label;
  }
  const std::size_t column = table.column(how.label);
  Contents found = contents(table, column, schema, few_classes);
  std::size_t most = few_classes;
  if (found.counts.size() > most && how.model_classes) {
    most = std::max(most, how.model_classes());
    found = contents(table, column, schema, most);
  }
  const std::string field = table.source + ": label '" + how.label + "'";
  if (found.counts.size() > most)
    throw Error(field,
                "at most " + std::to_string(most) + " classes" +
                    (most > few_classes ? " as the model has" : "") +
                    ", a threshold (--above), or for a model of numbers a range to reach (--reach)",
                "more");
  if (found.counts.size() < 2)
    throw Error(field, "at least two classes", std::to_string(found.counts.size()));
  for (const auto& [cell, count] : found.counts) label.classes.push_back({cell, {cell}});
  const TypedColumn* typed = table.typed(column);
  if (!found.no_number && !is_boolean(typed))
    std::ranges::sort(label.classes, {}, [](const LabelClass& c) { return *parse_number(c.name); });
  return label;
}

}  // namespace

Schema infer_schema(const Table& training, const Inference& how) {
  if (training.rows() == 0) throw Error(training.source, "at least one row", "none");
  Schema schema;
  schema.missing_strings = how.missing_strings;
  schema.missing = how.missing;
  schema.id = how.id;
  schema.ignore = how.ignore;
  if (!how.id.empty()) (void)training.column(how.id);
  for (const std::string& name : how.ignore) (void)training.column(name);
  if (!how.label.empty()) schema.label = infer_label(training, how, schema);
  for (std::size_t i = 0; i < training.columns.size(); ++i) {
    const std::string& name = training.columns[i];
    const bool used = name == how.label || name == how.id ||
                      std::find(how.ignore.begin(), how.ignore.end(), name) != how.ignore.end();
    if (!used) schema.columns.push_back(infer_column(training, i, schema));
  }
  check_schema(schema, training.source);
  return schema;
}

}  // namespace scfe
