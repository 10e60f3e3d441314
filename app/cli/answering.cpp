#include <algorithm>

#include "cli/audit.h"
#include "cli/stream.h"
#include "scfe/diagnostics.h"
#include "scfe/error.h"

namespace scfe::cli {
namespace {

std::string name_of(const Table& rows, std::size_t row, const std::string& id) {
  return id.empty() ? std::to_string(rows.first_row + row) : std::string(rows.cell(row, rows.column(id)));
}

void withdraw(Answer& answer, const std::vector<std::string>& cells) {
  answer.explanation.status = Status::not_found;
  answer.explanation.reason = "the answer found does not hold as it would be written";
  answer.explanation.changes.clear();
  answer.to = cells;
  answer.changed.clear();
}

bool has_rows(const Question& question, std::size_t target) {
  const Explainer& explainer = question.bundle.explainer;
  return explainer.options().density == DensityKind::none ||
         Diagnostics(explainer).class_rows(static_cast<int>(target)).rows > 0;
}

// Reports the error before the first row, not in the middle of the file.
void require_rows(const Question& question, std::size_t classes) {
  const int target = question.options.reach.empty() ? question.options.target.number() : 1;
  for (std::size_t i = 0; i < classes; ++i)
    if ((target == -1 || target == static_cast<int>(i)) && !has_rows(question, i))
      throw Error(
          "--target", "a class with correctly classified training rows",
          "'" + class_name(question.bundle.encoder.schema(), static_cast<int>(i)) + "', which has none");
}

}  // namespace

Answering::Answering(const Question& question) : question_(question) {
  const std::size_t classes = question.bundle.explainer.classes();
  if (question.options.reach.empty()) check_target(question, classes);
  require_rows(question, classes);
}

std::vector<Answer> Answering::operator()(const Table& rows, double time_limit, std::stop_token stop) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Encoded encoded = encoder.encode(rows);
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
      inputs_of.push_back(i);
      answer.first = k == 0;
      answer.rank = options.path ? static_cast<std::size_t>(lists[i][k].allowed_changes) : k + 1;
      answer.explanation = std::move(lists[i][k]);
    }
  }
  read_back(rows, encoded, inputs_of, answers);
  return grouped(rows, with_dropped(rows, encoded, std::move(answers)));
}

std::vector<Answer> Answering::grouped(const Table& rows, std::vector<Answer> answers) const {
  if (question_.by.empty()) return answers;
  const std::size_t column = group_column(question_, rows);
  for (Answer& answer : answers) {
    const std::string_view cell = rows.cell(answer.row, column);
    answer.group = question_.bundle.encoder.schema().is_missing(cell) ? missing_group : std::string(cell);
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
    answer.explanation.reason =
        "'" + schema.columns[gap.feature].feature.name + "' is missing (policy: drop)";
    for (const Column& column : schema.columns)
      answer.from.emplace_back(rows.cell(gap.row, rows.column(column.feature.name)));
    answer.to = answer.from;
  }
  std::ranges::stable_sort(answers, {}, &Answer::row);
  return answers;
}

void Answering::read_back(const Table& rows, const Encoded& encoded, std::span<const std::size_t> inputs_of,
                          std::vector<Answer>& answers) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Options& options = question_.options;
  Table written;
  written.source = "answers";
  for (const Column& column : encoder.schema().columns) written.columns.push_back(column.feature.name);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    answer.from = encoder.decode(encoded.inputs[inputs_of[i]], rows, answer.row);
    answer.to = encoder.decode(answer.explanation.counterfactual, rows, answer.row);
    written.add_row(answer.to);
  }
  const Encoded again = encoder.encode(written);
  const Explainer& explainer = question_.bundle.explainer;
  const Diagnostics diagnostics(explainer);
  const std::vector<Prediction> before = explainer.predictions(encoded.inputs),
                                after = explainer.predictions(again.inputs);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    Explanation& e = answer.explanation;
    const auto target = static_cast<std::size_t>(e.target);
    answer.probability_before = before[inputs_of[i]].probability[target];
    answer.output_before = before[inputs_of[i]].output;
    const bool holds = after[i].winner == e.target && after[i].probability[target] >= options.probability;
    if (e.found() && !holds) withdraw(answer, answer.from);
    if (!e.found()) continue;
    e.probability = after[i].probability[target];
    e.counterfactual.assign(again.inputs[i].begin(), again.inputs[i].end());
    for (std::size_t column = 0; column < answer.to.size(); ++column)
      if (answer.to[column] != answer.from[column] && !diagnostics.is_derived(column))
        answer.changed.push_back(column);
    // Without a floor the search does not compute the density, but the output shows it.
    if (options.density == DensityKind::none || options.plausible > 0 || !diagnostics.has_density(e.target))
      continue;
    const Typicality typical =
        diagnostics.typicality(encoded.inputs[inputs_of[i]], again.inputs[i], e.target);
    e.log_density = typical.log_density;
    e.quantile = typical.quantile;
  }
}

}  // namespace scfe::cli
