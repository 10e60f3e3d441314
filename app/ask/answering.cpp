#include "ask/answering.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ask/grouping.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "scfe/utf8.h"

namespace scfe::app {
namespace {

void withdraw(Answer& answer) {
  answer.explanation.status = Status::not_found;
  answer.explanation.reasons = {"the answer found does not hold as it would be written"};
  answer.explanation.blocking.clear();
  answer.explanation.changes.clear();
}

// The values of an answer as they are read back from their text. Those that equal the table's keep its bits.
class Written {
 public:
  Written(const Encoder& encoder, const Encoded& encoded) : encoder_(encoder), encoded_(encoded) {
    for (const Gap& gap : encoded.gaps) gaps_.insert({gap.row, gap.feature});
  }

  // `inputs` of a row of the table, which is `row` among those encoded.
  std::vector<double> operator()(std::size_t row, std::span<const double> inputs) const {
    const std::vector<double> own = encoder_.values(encoded_.inputs[row]);
    std::vector<double> values = encoder_.values(inputs);
    for (std::size_t f = 0; f < values.size(); ++f) {
      const bool same = values[f] == own[f] && (gaps_.empty() || !gaps_.contains({encoded_.rows[row], f}));
      values[f] = same ? own[f] : encoder_.value_of(f, std::string_view(encoder_.text(f, values[f]))).value();
    }
    return values;
  }

 private:
  const Encoder& encoder_;
  const Encoded& encoded_;
  std::set<std::pair<std::size_t, std::size_t>> gaps_;  // row of the table, feature
};

bool has_rows(const Question& question, std::size_t target) {
  const Explainer& explainer = question.bundle.explainer;
  return explainer.options().density == DensityKind::none ||
         Diagnostics(explainer).class_size(static_cast<int>(target)) > 0;
}

// Reports the error before the first row, not in the middle of the file.
void require_rows(const Question& question, std::size_t classes) {
  const Target target = question.options.reach.empty() ? question.options.target : 1;
  for (std::size_t i = 0; i < classes; ++i)
    if ((target == Target::other() || target == static_cast<int>(i)) && !has_rows(question, i))
      throw Error(
          "--target", "a class with correctly classified training rows",
          "'" + class_name(question.bundle.encoder.schema(), static_cast<int>(i)) + "', which has none");
}

}  // namespace

std::string name_of(const Table& rows, std::size_t row, const std::string& id) {
  return id.empty() ? std::to_string(rows.first_row + row) : std::string(rows.cell(row, rows.column(id)));
}

std::vector<std::size_t> filled_in(const Encoded& encoded, std::size_t row) {
  std::vector<std::size_t> features;
  for (auto gap = std::ranges::lower_bound(encoded.gaps, row, {}, &Gap::row);
       gap != encoded.gaps.end() && gap->row == row; ++gap)
    features.push_back(gap->feature);
  return features;
}

Answering::Answering(const Question& question, bool texts) : question_(question), texts_(texts) {
  const std::size_t classes = question.bundle.explainer.classes();
  if (question.options.reach.empty()) check_target(question, classes);
  require_rows(question, classes);
}

std::vector<Answer> Answering::operator()(const Table& rows, double time_limit, std::stop_token stop) const {
  return (*this)(rows, question_.bundle.encoder.encode(rows), time_limit, std::move(stop));
}

std::vector<Answer> Answering::operator()(const Table& rows, const Encoded& encoded, double time_limit,
                                          std::stop_token stop) const {
  const Encoder& encoder = question_.bundle.encoder;
  if (encoded.rows.empty()) return grouped(rows, with_dropped(rows, encoded, {}));
  Options options = question_.options;
  options.time_limit = time_limit;
  std::vector<Answer> answers;
  std::vector<std::size_t> inputs_of;  // for each answer, its row in encoded.inputs
  auto lists = question_.bundle.explainer.explain_all(
      encoded.inputs, options, {}, encoder.row_limits(rows, encoded.rows), std::move(stop));
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t k = 0; k < lists[i].size(); ++k) {
      Answer& answer = answers.emplace_back();
      answer.name = name_of(rows, encoded.rows[i], encoder.schema().id);
      answer.row = encoded.rows[i];
      answer.filled = filled_in(encoded, answer.row);
      inputs_of.push_back(i);
      answer.first = k == 0;
      answer.rank = options.path ? static_cast<std::size_t>(lists[i][k].allowed_changes) : k + 1;
      answer.explanation = std::move(lists[i][k]);
    }
  }
  read_back(encoded, inputs_of, answers);
  if (texts_)
    for (Answer& answer : answers) add_texts(rows, answer);
  return grouped(rows, with_dropped(rows, encoded, std::move(answers)));
}

std::vector<Answer> Answering::grouped(const Table& rows, std::vector<Answer> answers) const {
  if (question_.by.empty()) return answers;
  const std::size_t column = group_column(question_, rows);
  for (Answer& answer : answers) {
    const std::string_view cell = rows.cell(answer.row, column);
    require_utf8(cell, rows.place(answer.row, question_.by));
    const bool missing = question_.bundle.encoder.schema().is_missing(cell, rows.columns[column]);
    answer.group = missing ? missing_group : std::string(cell);
  }
  return answers;
}

// Adds entries without an answer, and with the reason, for rows that were dropped for a missing cell.
std::vector<Answer> Answering::with_dropped(const Table& rows, const Encoded& encoded,
                                            std::vector<Answer> answers) const {
  const Schema& schema = question_.bundle.encoder.schema();
  if (schema.missing != Missing::drop) return answers;
  for (const Gap& gap : encoded.gaps) {
    Answer& answer = answers.emplace_back();
    answer.name = name_of(rows, gap.row, schema.id);
    answer.row = gap.row;
    answer.explanation.predicted = -1;
    answer.explanation.target = question_.options.target.number();
    answer.explanation.reasons = {"'" + schema.columns[gap.feature].feature.name +
                                  "' is missing (policy: drop)"};
    if (texts_) add_texts(rows, answer);
  }
  std::ranges::stable_sort(answers, {}, &Answer::row);
  return answers;
}

void Answering::add_texts(const Table& rows, Answer& answer) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Explanation& e = answer.explanation;
  if (e.predicted < 0) {  // a row that was dropped
    answer.from.clear();
    for (const Column& column : encoder.schema().columns)
      answer.from.emplace_back(rows.cell(answer.row, rows.column(column.feature.name)));
    answer.to = answer.from;
    return;
  }
  answer.from = encoder.decode(answer.factual, rows, answer.row);
  answer.to = e.found() ? encoder.decode(e.counterfactual, rows, answer.row) : answer.from;
}

void Answering::read_back(const Encoded& encoded, std::span<const std::size_t> inputs_of,
                          std::vector<Answer>& answers) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Options& options = question_.options;
  const Written written(encoder, encoded);
  Matrix again(answers.size(), encoder.inputs());
  std::vector<std::vector<double>> from(answers.size()), to(answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::span<const double> factual = encoded.inputs[inputs_of[i]];
    answers[i].factual.assign(factual.begin(), factual.end());
    from[i] = written(inputs_of[i], factual);
    to[i] = written(inputs_of[i], answers[i].explanation.counterfactual);
    encoder.to_inputs(to[i], again[i]);
  }
  const Explainer& explainer = question_.bundle.explainer;
  const Diagnostics diagnostics(explainer);
  const std::vector<Prediction> before = explainer.predictions(encoded.inputs, options.threads),
                                after = explainer.predictions(again, options.threads);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    Explanation& e = answer.explanation;
    const auto target = static_cast<std::size_t>(e.target);
    answer.probability_before = before[inputs_of[i]].probability[target];
    answer.output_before = before[inputs_of[i]].output;
    const bool holds = after[i].winner == e.target && after[i].probability[target] >= options.probability;
    if (e.found() && !holds) withdraw(answer);
    if (!e.found()) continue;
    e.probability = after[i].probability[target];
    e.counterfactual.assign(again[i].begin(), again[i].end());
    for (std::size_t column = 0; column < to[i].size(); ++column)
      if (to[i][column] != from[i][column] && !diagnostics.is_derived(column))
        answer.changed.push_back(column);
    // A solver need not compute the density where there is no floor, but the output shows it.
    if (options.density == DensityKind::none || options.plausible > 0 || !diagnostics.has_density(e.target))
      continue;
    const Typicality typical = diagnostics.typicality(encoded.inputs[inputs_of[i]], again[i], e.target);
    e.log_density = typical.log_density;
    e.quantile = typical.quantile;
  }
}

}  // namespace scfe::app
