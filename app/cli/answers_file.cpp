#include "cli/answers_file.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "cli/sinks.h"
#include "cli/warn.h"
#include "scfe/error.h"

namespace scfe::cli {
namespace {

std::optional<std::size_t> column_if_any(const Table& table, const std::string& name) {
  const auto found = std::ranges::find(table.columns, name);
  if (found == table.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.columns.begin());
}

// Which line of the answers belongs to each row; rows of the same name in their order.
std::vector<std::optional<std::size_t>> match(const std::vector<std::string>& names, const Table& answers,
                                              const std::string& name_column) {
  std::vector<std::optional<std::size_t>> line(names.size());
  const auto column = column_if_any(answers, name_column);
  if (!column) {
    if (answers.rows() != names.size())
      throw Error(answers.source, std::to_string(names.size()) + " rows, or a column '" + name_column + "'",
                  std::to_string(answers.rows()) + " rows");
    for (std::size_t i = 0; i < line.size(); ++i) line[i] = i;
    return line;
  }
  std::map<std::string, std::deque<std::size_t>, std::less<>> open;
  for (std::size_t i = 0; i < names.size(); ++i) open[names[i]].push_back(i);
  for (std::size_t i = 0; i < answers.rows(); ++i) {
    const std::string_view name = answers.cell(i, *column);
    const auto found = open.find(name);
    if (found == open.end() || found->second.empty())
      throw Error(answers.place(i, name_column), "a row that is asked about, once",
                  "'" + std::string(name) + "'");
    line[found->second.front()] = i;
    found->second.pop_front();
  }
  return line;
}

class Reader {
 public:
  Reader(const Question& question, const std::string& path)
      : encoder_(question.bundle.encoder),
        own_(answer_columns(encoder_.schema())),
        table_(read_csv(path)),
        status_(column_if_any(table_, own_.status)),
        changes_(column_if_any(table_, own_.changes)) {
    for (const Column& column : encoder_.schema().columns)
      positions_.push_back(table_.column(column.feature.name));
  }

  const Table& table() const { return table_; }
  const std::string& name_column() const { return own_.row; }

  void fill(std::size_t line, GivenAnswer& given) const {
    if (status_) given.status = table_.cell(line, *status_);
    if (changes_) given.changes = table_.cell(line, *changes_);
    const bool blank =
        std::ranges::all_of(positions_, [&](std::size_t p) { return table_.cell(line, p).empty(); });
    if (blank || (status_ && !says_found(given.status))) return;
    Table one;
    one.source = table_.source;
    one.first_row = table_.first_row + line;
    for (const Column& column : encoder_.schema().columns) one.columns.push_back(column.feature.name);
    for (const std::size_t position : positions_) one.add(table_.cell(line, position));
    const Encoded encoded = encoder_.encode(one);
    if (!encoded.rows.empty()) given.answer = encoded.inputs.values;
  }

 private:
  static bool says_found(const std::string& status) {
    return std::ranges::none_of(std::array{Status::not_found, Status::time_limit, Status::not_finite},
                                [&](Status s) { return status == status_name(s); });
  }

  const Encoder& encoder_;
  AnswerColumns own_;
  Table table_;
  std::optional<std::size_t> status_, changes_;
  std::vector<std::size_t> positions_;
};

int wished_class(const Options& options, std::size_t classes, int predicted) {
  if (options.target >= 0 && static_cast<std::size_t>(options.target) < classes) return options.target;
  if (options.target < 0 && classes == 2) return 1 - predicted;
  throw Error("--target", "a class from 0 to " + std::to_string(classes - 1), std::to_string(options.target));
}

void predict_answers(const Predictor& predictor, std::vector<GivenAnswer>& answers) {
  Matrix inputs(answers.size(), predictor.model().features());
  for (std::size_t i = 0; i < answers.size(); ++i)
    std::ranges::copy(answers[i].answer.value_or(answers[i].factual), inputs[i].begin());
  std::vector<Prediction> predictions = predictor(inputs);
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].prediction = std::move(predictions[i]);
}

}  // namespace

std::vector<GivenAnswer> read_answers(const Question& question, const std::string& rows_path,
                                      const std::string& answers_path) {
  const Encoder& encoder = question.bundle.encoder;
  const Table rows = read_csv(rows_path);
  warn(encoder.warnings(rows));
  const Encoded encoded = encoder.encode(rows);
  const std::vector<RowLimits> limits = encoder.row_limits(rows, encoded.rows);
  const std::string& id = encoder.schema().id;
  std::vector<std::string> names;
  for (const std::size_t row : encoded.rows)
    names.push_back(id.empty() ? std::to_string(row + 1) : std::string(rows.cell(row, rows.column(id))));
  const Reader reader(question, answers_path);
  const auto lines = match(names, reader.table(), reader.name_column());

  const Predictor predictor(question.bundle.model_file);
  const std::vector<Prediction> before = predictor(encoded.inputs);
  std::vector<GivenAnswer> answers(names.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    GivenAnswer& given = answers[i];
    given.name = names[i];
    given.factual.assign(encoded.inputs[i].begin(), encoded.inputs[i].end());
    if (!limits.empty()) given.limits = limits[i];
    given.predicted = before[i].winner;
    given.target = wished_class(question.options, predictor.model().classes(), given.predicted);
    if (lines[i]) reader.fill(*lines[i], given);
  }
  predict_answers(predictor, answers);
  return answers;
}

}  // namespace scfe::cli
