#include "ask/answers_file.h"

#include <algorithm>
#include <array>
#include <map>

#include "ask/answer_columns.h"
#include "scfe/error.h"
#include "text/csv_line.h"

namespace scfe::app {
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
struct Pairing {
  std::vector<Pair> pairs;
  std::vector<std::string> strays;
};

Pairing pair_by_order(std::size_t rows, const Table& answers, const std::string& name_column) {
  if (answers.rows() != rows)
    throw Error(answers.source, std::to_string(rows) + " rows, or a column '" + name_column + "'",
                std::to_string(answers.rows()) + " rows");
  Pairing pairing;
  for (std::size_t i = 0; i < rows; ++i) pairing.pairs.push_back({i, i});
  return pairing;
}

// Tells to which of several rows with the same name a line belongs. The answers of each row come in order, so
// the next row begins where the rank does not increase.
class Turns {
 public:
  std::size_t next(const std::string& name, const std::string& rank) {
    const auto [turn, is_first] = turns_.try_emplace(name);
    Turn& own = turn->second;
    const auto order = [](const std::string& text) { return std::pair(text.size(), text); };
    if (!is_first && order(rank) <= order(own.rank)) ++own.row;
    own.rank = rank;
    return own.row;
  }

 private:
  struct Turn {
    std::size_t row = 0;
    std::string rank;
  };
  std::map<std::string, Turn> turns_;
};

Pairing pair_by_name(const std::vector<std::string>& names, const Table& answers, const AnswerColumns& own) {
  const std::size_t column = answers.column(own.row);
  const auto rank = column_if_any(answers, own.answer);
  std::map<std::string, std::vector<std::size_t>, std::less<>> rows;
  for (std::size_t i = 0; i < names.size(); ++i) rows[names[i]].push_back(i);
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  Turns turns;
  std::vector<char> answered(names.size());
  Pairing pairing;
  for (std::size_t line = 0; line < answers.rows(); ++line) {
    const std::string name(answers.cell(line, column)), which(rank ? answers.cell(line, *rank) : "");
    const auto found = rows.find(name);
    const bool shared = found != rows.end() && found->second.size() > 1;
    const std::size_t before = shared ? turns.next(name, which) : seen[{name, which}]++;
    if (found != rows.end() && before < found->second.size()) {
      pairing.pairs.push_back({found->second[before], line});
      answered[found->second[before]] = 1;
      continue;
    }
    const Error error(answers.place(line, own.row), "a row that is asked about, once",
                      "'" + name + "'" + (found == rows.end() ? "" : " again"));
    pairing.strays.emplace_back(error.what());
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!answered[i]) pairing.pairs.push_back({i, std::nullopt});
  std::ranges::stable_sort(pairing.pairs, {}, &Pair::row);
  return pairing;
}

class Reader {
 public:
  Reader(const Question& question, Table answers)
      : encoder_(question.bundle.encoder),
        own_(answer_columns(encoder_.schema())),
        table_(question.spreadsheet_safe ? from_spreadsheet_safe(answers) : std::move(answers)),
        status_(column_if_any(table_, own_.status)),
        changes_(column_if_any(table_, own_.changes)),
        changed_(column_if_any(table_, own_.changed)) {
    for (const Column& column : encoder_.schema().columns)
      positions_.push_back(table_.column(column.feature.name));
  }

  bool has_several() const { return column_if_any(table_, own_.answer).has_value(); }
  Pairing pair(const std::vector<std::string>& names) const {
    return column_if_any(table_, own_.row) ? pair_by_name(names, table_, own_)
                                           : pair_by_order(names.size(), table_, own_.row);
  }

  void fill(std::size_t line, GivenAnswer& given) const {
    given.has_line = true;
    if (status_) given.status = table_.cell(line, *status_);
    if (changes_) given.changes = table_.cell(line, *changes_);
    if (changed_) given.changed = table_.cell(line, *changed_);
    given.blank =
        std::ranges::all_of(positions_, [&](std::size_t p) { return table_.cell(line, p).empty(); });
    if (given.blank || (status_ && meaning_of(given.status) == Says::none)) return;
    Table one;
    one.source = table_.source;
    one.first_row = table_.first_row + line;
    for (std::size_t f = 0; f < positions_.size(); ++f) {
      const std::string& name = encoder_.schema().columns[f].feature.name;
      if (const TypedColumn* typed = table_.typed(positions_[f])) {
        one.add_column(name, typed->slice(line, 1));
      } else {
        one.columns.push_back(name);
        one.add(table_.cell(line, positions_[f]));
      }
    }
    const Encoded encoded = encoder_.encode(one);
    if (!encoded.rows.empty()) given.answer = encoded.inputs.values;
  }

 private:
  const Encoder& encoder_;
  AnswerColumns own_;
  Table table_;
  std::optional<std::size_t> status_, changes_, changed_;
  std::vector<std::size_t> positions_;
};

// Removes the rows that are dropped for a missing cell, which must have a line without an answer. The others
// are renumbered as the encoder counts them.
std::size_t take_out_dropped(const Encoded& encoded, const Reader& reader,
                             const std::vector<std::string>& names, std::vector<Pair>& pairs,
                             std::vector<std::string>& strays) {
  std::vector<Pair> kept;
  std::size_t dropped = 0;
  for (const Pair& pair : pairs) {
    const auto place = std::ranges::lower_bound(encoded.rows, pair.row);
    if (place != encoded.rows.end() && *place == pair.row) {
      kept.push_back({static_cast<std::size_t>(place - encoded.rows.begin()), pair.line});
      continue;
    }
    GivenAnswer given;
    if (pair.line) reader.fill(*pair.line, given);
    if (pair.line && !given.answer && ++dropped > 0) continue;
    strays.emplace_back("row " + names[pair.row] +
                        ": a cell is missing: expected a line without an answer, got " +
                        (pair.line ? "one" : "no line"));
  }
  pairs.swap(kept);
  return dropped;
}

// The target class of a given answer. For a range to reach it is the inside, 1. For Target::any() it is the
// class that the answer has, if that is not the row's own.
int target_class(const Options& options, const GivenAnswer& given) {
  if (!options.reach.empty()) return 1;
  if (options.target.is_class()) return options.target.number();
  const bool other = given.prediction.winner != given.predicted;
  return options.target == Target::any() && other ? given.prediction.winner : given.predicted == 0 ? 1 : 0;
}

void predict_answers(const Bundle& bundle, std::vector<GivenAnswer>& answers) {
  Matrix inputs(answers.size(), bundle.encoder.inputs());
  for (std::size_t i = 0; i < answers.size(); ++i)
    std::ranges::copy(answers[i].answer.value_or(answers[i].factual), inputs[i].begin());
  std::vector<Prediction> predictions = bundle.explainer.predictions(inputs);
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].prediction = std::move(predictions[i]);
}

}  // namespace

Says meaning_of(const std::string& status) {
  const auto is = [&](Status s) { return status == status_name(s); };
  if (std::ranges::any_of(std::array{Status::valid, Status::below_floor, Status::already}, is))
    return Says::answer;
  if (std::ranges::any_of(std::array{Status::not_found, Status::time_limit, Status::not_finite}, is))
    return Says::none;
  return Says::unknown;
}

GivenAnswers read_answers(const Question& question, const Table& rows, Table answers) {
  const Encoder& encoder = question.bundle.encoder;
  const Encoded encoded = encoder.encode(rows);
  question.warn(encoder.warnings(rows));
  const std::vector<RowLimits> limits = encoder.row_limits(rows, encoded.rows);
  const std::string& id = encoder.schema().id;
  std::vector<std::string> names;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    names.push_back(id.empty() ? std::to_string(row + 1) : std::string(rows.cell(row, rows.column(id))));
  const Reader reader(question, std::move(answers));
  auto [pairs, strays] = reader.pair(names);
  const std::size_t dropped = take_out_dropped(encoded, reader, names, pairs, strays);
  const Options& options = question.options;
  const Explainer& explainer = question.bundle.explainer;
  if (options.reach.empty()) check_target(question, explainer.classes());
  const std::vector<Prediction> before = explainer.predictions(encoded.inputs);
  std::vector<GivenAnswer> given_answers(pairs.size());
  for (std::size_t i = 0; i < given_answers.size(); ++i) {
    GivenAnswer& given = given_answers[i];
    const std::size_t row = pairs[i].row;
    given.name = names[encoded.rows[row]];
    given.row = row;
    given.factual.assign(encoded.inputs[row].begin(), encoded.inputs[row].end());
    if (!limits.empty()) given.limits = limits[row];
    given.predicted = before[row].winner;
    if (pairs[i].line) reader.fill(*pairs[i].line, given);
  }
  predict_answers(question.bundle, given_answers);
  for (GivenAnswer& given : given_answers) given.target = target_class(options, given);
  return {std::move(given_answers), strays, reader.has_several(), dropped};
}

}  // namespace scfe::app
