// Predict and explain, in our own form and in that of KServe.
#include <algorithm>

#include "scfe/error.h"
#include "scfe/text.h"
#include "server/json_out.h"
#include "server/router.h"
#include "text/json_text.h"

namespace scfe::server {
namespace {

using app::JsonObject;

void check_members(const Json& body, const std::vector<std::string>& known) {
  for (const auto& [name, value] : body.items())
    if (std::ranges::find(known, name) == known.end()) throw unknown_name("request", "member", name, known);
}

std::vector<std::string> predicted(const Call& call, const Json& body, const std::string& many) {
  const ServedModel& model = call.model();
  const std::vector<Json> rows = rows_in(body, many, call.service.limits);
  const Table table = table_of(rows, model.schema());
  call.service.metrics.rows_predicted += rows.size();
  return predictions_json(model, table);
}

struct Answered {
  std::shared_ptr<const Prepared> prepared;
  std::vector<std::string> rows;
};

Answered explained(const Call& call, const Json& body, const std::string& many) {
  const ServedModel& model = call.model();
  const Json question = body.contains("question") ? body["question"] : Json::object();
  const auto prepared = model.prepare(question, call.service.limits);
  const std::vector<Json> rows = rows_in(body, many, call.service.limits);
  const Table table = table_of(rows, prepared->question.bundle.encoder.schema());
  const double asked = prepared->question.options.time_limit;
  const double seconds = std::max(asked > 0 ? std::min(asked, call.seconds) : call.seconds, 1e-6);
  const std::vector<app::Answer> answers = prepared->answering(table, seconds, call.stop);
  const std::vector<Prediction> predictions = predictions_of(model, table);
  call.service.metrics.rows_explained += rows.size();
  return {prepared, explained_json({*prepared, rows, answers, predictions})};
}

}  // namespace

Response predict_rows(const Call& call) {
  const Json body = call.body();
  check_members(body, {"row", "rows"});
  return {.body = JsonObject().raw("predictions", app::json_list(predicted(call, body, "rows"))).str()};
}

Response kserve_predict(const Call& call) {
  return {
      .body =
          JsonObject().raw("predictions", app::json_list(predicted(call, call.body(), "instances"))).str()};
}

Response explain_rows(const Call& call) {
  const Json body = call.body();
  check_members(body, {"row", "rows", "question"});
  const Answered answered = explained(call, body, "rows");
  return {.body = JsonObject()
                      .text("model", call.model().name())
                      .raw("question", answered.prepared->asked.dump())
                      .raw("rows", app::json_list(answered.rows))
                      .raw("warnings", app::json_texts(answered.prepared->warnings))
                      .str()};
}

Response kserve_explain(const Call& call) {
  const Json body = call.body();
  return {
      .body =
          JsonObject().raw("explanations", app::json_list(explained(call, body, "instances").rows)).str()};
}

}  // namespace scfe::server
