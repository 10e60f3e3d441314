#include "server/json_out.h"

#include <algorithm>

#include "output/further.h"
#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "server/hints.h"
#include "text/json_text.h"
#include "text/text_table.h"

namespace scfe::server {
namespace {

using app::Answer;
using app::json_list;
using app::json_number;
using app::json_quoted;
using app::json_texts;
using app::JsonObject;

std::string text_or_null(const std::string& text) { return text.empty() ? "null" : json_quoted(text); }

std::string changes_json(const app::Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  std::vector<std::string> list;
  for (const std::size_t column : answer.changed) {
    const Feature& feature = schema.columns[column].feature;
    std::string room = "null";
    for (const FeatureChange& made : answer.explanation.changes)
      if (made.feature == column && app::has_room(question, answer.explanation, made))
        room = json_number(made.room);
    list.push_back(JsonObject()
                       .text("feature", feature.name)
                       .raw("from", cell_json(schema, column, answer.from[column]))
                       .raw("to", cell_json(schema, column, answer.to[column]))
                       .text("from_text", answer.from[column])
                       .text("to_text", answer.to[column])
                       .raw("unit", text_or_null(feature.unit))
                       .raw("room", room)
                       .str());
  }
  return json_list(list);
}

std::string counterfactual_json(const Schema& schema, const Answer& answer) {
  JsonObject cells;
  for (std::size_t column = 0; column < answer.to.size(); ++column)
    cells.raw(schema.columns[column].feature.name, cell_json(schema, column, answer.to[column]));
  return cells.str();
}

// Sentences on the plan; those of hints are given as hints.
std::string notes_json(const app::Question& question, const Answer& answer) {
  Answer without_hints = answer;
  without_hints.explanation.hints.clear();
  return json_texts(app::further_lines(question, without_hints));
}

std::string plan_json(const app::Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const Explanation& e = answer.explanation;
  const bool regression = !question.options.reach.empty();
  const bool dense = question.options.density != DensityKind::none &&
                     Diagnostics(question.bundle.explainer).has_density(e.target);
  const bool stable = e.stability != StabilityProof::none;
  return JsonObject()
      .number("rank", static_cast<double>(answer.rank))
      .text("status", status_name(e.status))
      .raw("reason", text_or_null(e.reason()))
      .text("target", app::class_name(schema, e.target))
      .raw("changes", changes_json(question, answer))
      .raw("counterfactual", counterfactual_json(schema, answer))
      .number("probability_before", answer.probability_before)
      .number("probability", e.probability)
      .raw("output_before", regression ? json_number(answer.output_before) : "null")
      .raw("output", regression ? json_number(e.output) : "null")
      .raw("quantile", dense ? json_number(e.quantile) : "null")
      .raw("log_density", dense ? json_number(e.log_density) : "null")
      .raw("typical_text", dense ? json_quoted("as typical as " + app::percent(e.quantile) + " of " +
                                               app::class_rows_name(question, e.target))
                                 : "null")
      .number("distance", e.distance)
      .number("l1", e.l1)
      .flag("proven", e.proven())
      .raw("certificate", text_or_null(e.certificate))
      .raw("lower_bound", e.certificate.empty() ? "null" : json_number(e.lower_bound))
      .raw("stability", stable ? json_quoted(stability_name(e.stability)) : "null")
      .raw("stable_margin", stable ? json_number(e.stable_margin) : "null")
      .flag("knee", e.knee)
      .flag("timed_out", e.timed_out)
      .number("gradients", static_cast<double>(e.gradients))
      .raw("notes", notes_json(question, answer))
      .str();
}

std::string point_json(const app::Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  const bool dense = question.options.density != DensityKind::none;
  return JsonObject()
      .number("max_changes", static_cast<double>(answer.rank))
      .number("distance", e.distance)
      .raw("quantile", dense ? json_number(e.quantile) : "null")
      .number("probability", e.probability)
      .flag("knee", e.knee)
      .str();
}

std::string row_json(const Explained& all, std::span<const Answer> answers) {
  const app::Question& question = all.prepared.question;
  const Schema& schema = question.bundle.encoder.schema();
  const Answer& first = answers.front();
  const Explanation& e = first.explanation;
  std::vector<std::string> plans, path;
  for (const Answer& answer : answers) {
    if (!answer.explanation.found()) continue;
    plans.push_back(plan_json(question, answer));
    path.push_back(point_json(question, answer));
  }
  const Prediction& prediction = all.predictions[first.row];
  const bool known = !prediction.probability.empty();
  return JsonObject()
      .text("row", first.name)
      .raw("predicted", known ? json_quoted(app::class_name(schema, e.predicted)) : "null")
      .raw("target", e.target >= 0 ? json_quoted(app::class_name(schema, e.target)) : "null")
      .text("status", status_name(e.status))
      .raw("reason", text_or_null(e.reason()))
      .raw("probability", known ? probability_json(schema, prediction) : "null")
      .raw("plans", json_list(plans))
      .raw("hints", json_list(hints_json(all.prepared, e, all.rows[first.row])))
      .raw("path", question.options.path ? json_list(path) : "null")
      .str();
}

}  // namespace

std::string cell_json(const Schema& schema, std::size_t column, const std::string& cell) {
  if (schema.columns[column].has_levels()) return json_quoted(cell);
  const std::optional<double> number = parse_number(cell);
  return number ? json_number(*number) : "null";
}

std::string probability_json(const Schema& schema, const Prediction& prediction) {
  JsonObject object;
  for (std::size_t c = 0; c < prediction.probability.size(); ++c)
    object.number(app::class_name(schema, static_cast<int>(c)), prediction.probability[c]);
  return object.str();
}

std::vector<std::string> explained_json(const Explained& explained) {
  std::vector<std::string> objects;
  for (std::size_t from = 0; from < explained.answers.size();) {
    std::size_t end = from + 1;
    while (end < explained.answers.size() && !explained.answers[end].first) ++end;
    objects.push_back(row_json(explained, explained.answers.subspan(from, end - from)));
    from = end;
  }
  return objects;
}

std::vector<Prediction> predictions_of(const ServedModel& model, const Table& rows) {
  const Encoded encoded = model.bundle().encoder.encode(rows);
  std::vector<Prediction> all(rows.rows());
  if (encoded.rows.empty()) return all;
  std::vector<Prediction> some = model.bundle().explainer.predictions(encoded.inputs);
  for (std::size_t i = 0; i < some.size(); ++i) all[encoded.rows[i]] = std::move(some[i]);
  return all;
}

std::vector<std::string> predictions_json(const ServedModel& model, const Table& rows) {
  const Bundle& bundle = model.bundle();
  const Schema& schema = model.schema();
  const Encoded encoded = bundle.encoder.encode(rows);
  const Diagnostics diagnostics(bundle.explainer);
  const bool regression = !bundle.explainer.options().reach.empty();
  std::vector<Prediction> predictions;
  if (!encoded.rows.empty()) predictions = bundle.explainer.predictions(encoded.inputs);
  std::vector<std::string> objects(rows.rows());
  for (std::size_t row = 0; row < objects.size(); ++row)
    objects[row] = JsonObject()
                       .text("row", std::to_string(row + 1))
                       .raw("class", "null")
                       .text("reason", "a cell is missing (policy: drop)")
                       .str();
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const Prediction& p = predictions[i];
    JsonObject typical;
    for (std::size_t c = 0; c < p.probability.size(); ++c) {
      const int target = static_cast<int>(c);
      typical.raw(
          app::class_name(schema, target),
          diagnostics.has_density(target)
              ? json_number(diagnostics.typicality(encoded.inputs[i], encoded.inputs[i], target).quantile)
              : "null");
    }
    objects[encoded.rows[i]] = JsonObject()
                                   .text("row", std::to_string(encoded.rows[i] + 1))
                                   .text("class", app::class_name(schema, p.winner))
                                   .raw("probability", probability_json(schema, p))
                                   .raw("typical", typical.str())
                                   .raw("output", regression ? json_number(p.output) : "null")
                                   .str();
  }
  return objects;
}

}  // namespace scfe::server
