#include "cli/stream.h"
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

}  // namespace

Answering::Answering(const Question& question) : question_(question), predictor_(question.bundle.model_file) {
  const Options& options = question.options;
  const Schema& schema = question.bundle.encoder.schema();
  const std::size_t classes = predictor_.model().classes();
  if (options.target >= 0 && static_cast<std::size_t>(options.target) >= classes)
    throw Error("--target", "a class from 0 to " + std::to_string(classes - 1),
                std::to_string(options.target));
  if (options.target >= 0 || classes == 2) return;
  std::string known;
  for (std::size_t i = 0; i < classes; ++i)
    known += (i > 0 ? ", " : "") + class_name(schema, static_cast<int>(i));
  throw Error("--target", "one of the classes: " + known, "nothing");
}

std::vector<Answer> Answering::operator()(const Table& rows, double time_limit) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Encoded encoded = encoder.encode(rows);
  if (encoded.rows.empty()) return {};
  Options options = question_.options;
  options.time_limit = time_limit;
  std::vector<Explanation> explanations =
      question_.bundle.explainer.explain(encoded.inputs, options, {}, encoder.row_limits(rows, encoded.rows));
  std::vector<Answer> answers(explanations.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answers[i].name = name_of(rows, encoded.rows[i], encoder.schema().id);
    answers[i].explanation = std::move(explanations[i]);
  }
  read_back(rows, encoded, answers);
  return answers;
}

void Answering::read_back(const Table& rows, const Encoded& encoded, std::vector<Answer>& answers) const {
  const Encoder& encoder = question_.bundle.encoder;
  const Options& options = question_.options;
  Table written;
  written.source = "answers";
  for (const Column& column : encoder.schema().columns) written.columns.push_back(column.feature.name);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    answer.from = encoder.decode(encoded.inputs[i], rows, encoded.rows[i]);
    answer.to = encoder.decode(answer.explanation.counterfactual, rows, encoded.rows[i]);
    written.add_row(answer.to);
  }
  const Encoded again = encoder.encode(written);
  const std::vector<Prediction> before = predictor_(encoded.inputs), after = predictor_(again.inputs);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Answer& answer = answers[i];
    Explanation& e = answer.explanation;
    const auto target = static_cast<std::size_t>(e.target);
    answer.probability_before = before[i].probability[target];
    const bool holds = after[i].winner == e.target && after[i].probability[target] >= options.probability;
    if (e.found() && !holds) withdraw(answer, answer.from);
    if (!e.found()) continue;
    e.probability = after[i].probability[target];
    e.counterfactual.assign(again.inputs[i].begin(), again.inputs[i].end());
    for (std::size_t column = 0; column < answer.to.size(); ++column)
      if (answer.to[column] != answer.from[column] && !question_.bundle.explainer.is_derived(column))
        answer.changed.push_back(column);
    // Without a floor the search does not look at the density; people still want to know.
    const Explainer& explainer = question_.bundle.explainer;
    if (options.density == "none" || options.plausible > 0 || !explainer.has_density(e.target)) continue;
    const Typicality typical = explainer.typicality(encoded.inputs[i], again.inputs[i], e.target);
    e.log_density = typical.log_density;
    e.quantile = typical.quantile;
  }
}

}  // namespace scfe::cli
