#include "ask/agreement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr double same_probability = 1e-3;
constexpr std::size_t named_rows = 3;

// What the training library predicts for a row: a class, or the probability of class 1.
struct Told {
  int winner = 0;
  std::optional<double> probability = {};
};

struct Difference {
  std::size_t row = 0;
  double size = 0;  // of the probability; of classes without one: 1
  std::string told, file;
  bool agrees = true;
};

// Cells are class names or label cells, else whole numbers of classes, else probabilities.
std::vector<Told> read_column(const Schema& schema, const Table& training, std::size_t column,
                              std::span<const std::size_t> rows) {
  const std::size_t classes = schema.label.classes.size();
  const std::string name = training.source + ", column '" + training.columns[column] + "'";
  const auto all = [&](auto reads) {
    return std::ranges::all_of(rows, [&](std::size_t row) { return reads(training.cell(row, column)); });
  };
  const auto number = [](std::string_view cell) { return parse_number(cell).value_or(NAN); };
  std::vector<Told> told;
  if (all([&](std::string_view cell) { return schema.label.class_of(cell).has_value(); })) {
    for (const std::size_t row : rows) told.push_back({*schema.label.class_of(training.cell(row, column))});
  } else if (all([&](std::string_view cell) {
               const double c = number(cell);
               return c == std::floor(c) && c >= 0 && c < static_cast<double>(classes);
             })) {
    for (const std::size_t row : rows) told.push_back({static_cast<int>(number(training.cell(row, column)))});
  } else if (classes == 2 &&
             all([&](std::string_view cell) { return number(cell) >= 0 && number(cell) <= 1; })) {
    for (const std::size_t row : rows) {
      const double p = number(training.cell(row, column));
      told.push_back({p > 0.5 ? 1 : 0, p});
    }
  } else {
    const auto wrong = std::ranges::find_if(rows, [&](std::size_t row) {
      const std::string_view cell = training.cell(row, column);
      return !schema.label.class_of(cell) && !(number(cell) >= 0 && number(cell) <= 1);
    });
    throw Error(name, classes == 2 ? "a class or a probability in every row" : "a class in every row",
                wrong == rows.end() ? "a mixture of both"
                                    : "'" + std::string(training.cell(*wrong, column)) + "' in row " +
                                          std::to_string(training.first_row + *wrong));
  }
  return told;
}

Difference compared(const Schema& schema, std::size_t row, const Told& told, const Prediction& file) {
  if (told.probability) {
    const double size = std::abs(*told.probability - file.probability[1]);
    return {row, size, number(*told.probability), number(file.probability[1]), size <= same_probability};
  }
  const bool agrees = told.winner == file.winner;
  return {row, agrees ? 0.0 : 1.0, class_name(schema, told.winner), class_name(schema, file.winner), agrees};
}

std::string largest(const Table& training, std::vector<Difference> differences) {
  std::erase_if(differences, [](const Difference& d) { return d.agrees; });
  std::ranges::stable_sort(differences, std::ranges::greater(), &Difference::size);
  std::string text;
  for (std::size_t i = 0; i < std::min(named_rows, differences.size()); ++i)
    text += (i == 0 ? "; largest differences: row " : ", row ") +
            std::to_string(training.first_row + differences[i].row) + " (" + differences[i].told + ", file " +
            differences[i].file + ")";
  return text;
}

}  // namespace

std::string label_agreement(const Bundle& bundle, const Table& training) {
  const Schema& schema = bundle.encoder.schema();
  if (!bundle.explainer.options().reach.empty() || schema.label.column.empty()) return "";
  const Encoded encoded = bundle.encoder.encode_values(training, false);
  const std::vector<Prediction> predicted = bundle.explainer.predictions_of_values(encoded.values);
  const std::size_t column = training.column(schema.label.column);
  std::size_t labelled = 0, right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const std::optional<int> label = schema.label.class_of(training.cell(encoded.rows[i], column));
    labelled += label ? 1 : 0;
    right += label == predicted[i].winner ? 1 : 0;
  }
  if (labelled == 0) return "";
  return "the model predicts the label of " +
         percent(static_cast<double>(right) / static_cast<double>(labelled)) + " of " +
         counted(labelled, "training row");
}

std::string prediction_agreement(const Bundle& bundle, const Table& training, const std::string& column,
                                 double least) {
  const Schema& schema = bundle.encoder.schema();
  if (!bundle.explainer.options().reach.empty() || schema.label.classes.empty())
    throw Error("--predictions", "a classifier", "a regression model (--reach)");
  const Encoded encoded = bundle.encoder.encode_values(training, false);
  const std::vector<Told> told = read_column(schema, training, training.column(column), encoded.rows);
  const std::vector<Prediction> file = bundle.explainer.predictions_of_values(encoded.values);
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < told.size(); ++i)
    differences.push_back(compared(schema, encoded.rows[i], told[i], file[i]));
  const auto agreed = static_cast<double>(std::ranges::count(differences, true, &Difference::agrees));
  const double share = told.empty() ? 1 : agreed / static_cast<double>(told.size());
  std::string text = "the file agrees with '" + column + "' on " + percent(share) + " of " +
                     counted(told.size(), "row") + largest(training, differences);
  if (share < least)
    throw Error(text +
                ". It is not the model that made these predictions: export it from the columns' own "
                "types (all numbers as float or as double), or ask for less with --min-agreement " +
                number(std::floor(1000 * share) / 1000));
  return text;
}

}  // namespace scfe::app
