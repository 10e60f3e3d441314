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

struct Pair {
  std::size_t row;
  std::optional<std::size_t> line;
};

// Several answers a row: every line by itself, for the first row of its name; then the rows without any.
std::vector<Pair> pair_lines(const std::vector<std::string>& names, const Table& answers,
                             const std::string& name_column) {
  std::map<std::string, std::size_t, std::less<>> first;
  for (std::size_t i = names.size(); i-- > 0;) first[names[i]] = i;
  std::vector<Pair> pairs;
  std::vector<char> answered(names.size());
  for (std::size_t line = 0; line < answers.rows(); ++line) {
    const std::string_view name = answers.cell(line, answers.column(name_column));
    const auto found = first.find(name);
    if (found == first.end())
      throw Error(answers.place(line, name_column), "a row that is asked about",
                  "'" + std::string(name) + "'");
    pairs.push_back({found->second, line});
    answered[found->second] = 1;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!answered[i] && first.at(names[i]) == i) pairs.push_back({i, std::nullopt});
  return pairs;
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
  bool has_several() const { return column_if_any(table_, own_.answer).has_value(); }

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

// Of a range to reach, the inside; of any other class the one that the answer has, unless that is the row's.
int wished_class(const Options& options, const GivenAnswer& given) {
  if (!options.reach.empty()) return 1;
  if (options.target >= 0) return options.target;
  const bool other = given.prediction.winner != given.predicted;
  return options.target == any_other_class && other ? given.prediction.winner : given.predicted == 0 ? 1 : 0;
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
  std::vector<Pair> pairs;
  if (reader.has_several()) {
    pairs = pair_lines(names, reader.table(), reader.name_column());
  } else {
    const auto lines = match(names, reader.table(), reader.name_column());
    for (std::size_t i = 0; i < lines.size(); ++i) pairs.push_back({i, lines[i]});
  }
  const Options& options = question.options;
  const Predictor predictor(question.bundle.model_file, options.reach);
  if (options.reach.empty()) check_target(question, predictor.model().classes());
  const std::vector<Prediction> before = predictor(encoded.inputs);
  std::vector<GivenAnswer> answers(pairs.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    GivenAnswer& given = answers[i];
    const std::size_t row = pairs[i].row;
    given.name = names[row];
    given.factual.assign(encoded.inputs[row].begin(), encoded.inputs[row].end());
    if (!limits.empty()) given.limits = limits[row];
    given.predicted = before[row].winner;
    if (pairs[i].line) reader.fill(*pairs[i].line, given);
  }
  predict_answers(predictor, answers);
  for (GivenAnswer& given : answers) given.target = wished_class(options, given);
  return answers;
}

}  // namespace scfe::cli
