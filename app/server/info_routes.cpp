// Routes that describe: models, options, health, metrics.
#include "scfe/text.h"
#include "server/json_out.h"
#include "server/model_document.h"
#include "server/router.h"
#include "text/json_text.h"

namespace scfe::server {

using app::JsonObject;

Response list_models(const Call& call) {
  std::vector<std::string> entries;
  for (const auto& model : call.service.models.all()) entries.push_back(model_entry(*model));
  return {.body = JsonObject().raw("models", app::json_list(entries)).str()};
}

Response show_model(const Call& call) { return {.body = call.model().document()}; }

namespace {

std::size_t limit_of(const Request& request) {
  const auto given = request.query.find("limit");
  if (given == request.query.end()) return 50;
  const std::optional<double> value = parse_number(given->second);
  if (!value || *value < 1 || *value > most_examples ||
      *value != static_cast<double>(static_cast<int>(*value)))
    throw Error("limit", "a whole number from 1 to " + std::to_string(most_examples),
                "'" + given->second + "'");
  return static_cast<std::size_t>(*value);
}

}  // namespace

Response show_examples(const Call& call) {
  const ServedModel& model = call.model();
  const Schema& schema = model.schema();
  const Table& rows = model.examples();
  const std::size_t limit = limit_of(call.request);
  std::vector<std::string> entries;
  if (rows.rows() > 0) {
    const std::vector<Prediction> predictions = predictions_of(model, rows);
    std::vector<std::size_t> columns;
    for (const Column& column : schema.columns) columns.push_back(rows.column(column.feature.name));
    for (std::size_t row = 0; row < rows.rows() && entries.size() < limit; ++row) {
      if (predictions[row].probability.empty()) continue;
      JsonObject cells;
      for (std::size_t f = 0; f < columns.size(); ++f)
        cells.raw(schema.columns[f].feature.name,
                  cell_json(schema, f, std::string(rows.cell(row, columns[f]))));
      const std::string name = schema.id.empty() ? std::to_string(model.example_number(row))
                                                 : std::string(rows.cell(row, rows.column(schema.id)));
      entries.push_back(JsonObject()
                            .text("row", name)
                            .raw("cells", cells.str())
                            .text("class", app::class_name(schema, predictions[row].winner))
                            .raw("probability", probability_json(schema, predictions[row]))
                            .str());
    }
  }
  return {.body = JsonObject().raw("examples", app::json_list(entries)).str()};
}

Response show_options(const Call&) {
  static const std::string document = options_document();
  return {.body = document};
}

Response show_health(const Call&) { return {.body = R"({"status": "ok"})"}; }

Response show_readiness(const Call& call) {
  if (call.service.stopping) return problem(503, "the server is stopping");
  if (call.service.engine && call.service.engine->full()) return problem(503, "the queue is full");
  return {.body = R"({"status": "ready"})"};
}

Response show_metrics(const Call& call) {
  const Service& service = call.service;
  std::vector<Metrics::Gauge> gauges = {
      {"scfe_connections", "Open connections.", static_cast<double>(service.metrics.connections)},
      {"scfe_queue", "Requests that wait for the engine.",
       service.engine ? static_cast<double>(service.engine->waiting()) : 0},
      {"scfe_models", "Models that are served.", static_cast<double>(service.models.all().size())}};
  if (service.jobs)
    gauges.push_back({"scfe_jobs", "Batch jobs on disk.", static_cast<double>(service.jobs->size())});
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = service.metrics.text(gauges)};
}

Response show_openapi(const Call& call) { return {.body = call.service.openapi}; }

Response kserve_models(const Call& call) {
  std::vector<std::string> names;
  for (const auto& model : call.service.models.all()) names.push_back(model->name());
  return {.body = JsonObject().raw("models", app::json_texts(names)).str()};
}

Response kserve_model(const Call& call) {
  return {.body = JsonObject().text("name", call.model().name()).raw("ready", "true").str()};
}

}  // namespace scfe::server
