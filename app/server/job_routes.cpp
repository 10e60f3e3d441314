// Batch jobs: start, watch, cancel, download.
#include "scfe/utf8.h"
#include "server/json_out.h"
#include "server/router.h"
#include "text/json_text.h"

namespace scfe::server {

namespace {

Jobs& jobs_of(const Call& call) {
  if (!call.service.jobs) throw Refusal{503, "jobs are not available"};
  return *call.service.jobs;
}

std::string parameter(const Request& request, const char* name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

Response download(const Call& call, const std::string& ending, const std::string& type) {
  Response response;
  response.file = jobs_of(call).answers(call.captures[0], ending);
  response.type = type;
  response.headers = {{"Content-Disposition", "attachment; filename=\"answers." + ending + "\""}};
  return response;
}

}  // namespace

Response start_job(const Call& call) {
  (void)call.model();
  const std::string name = parameter(call.request, "name").substr(0, 200);
  if (!is_utf8(call.request.body)) throw Refusal{400, "rows: expected UTF-8 text, got other bytes"};
  const NewJob job{call.captures[0], is_utf8(name) ? name : "rows.csv", parameter(call.request, "by"),
                   question_parameter(call.request)};
  const std::string id = jobs_of(call).start(job, call.request.body);
  return {.status = 202, .body = jobs_of(call).show(id), .headers = {{"Location", "/api/jobs/" + id}}};
}

Response list_jobs(const Call& call) {
  return {.body = app::JsonObject().raw("jobs", app::json_list(jobs_of(call).show_all())).str()};
}

Response show_job(const Call& call) { return {.body = jobs_of(call).show(call.captures[0])}; }

Response delete_job(const Call& call) {
  jobs_of(call).remove(call.captures[0]);
  return {.status = 204, .type = ""};
}

Response download_csv(const Call& call) { return download(call, "csv", "text/csv; charset=utf-8"); }
Response download_json(const Call& call) { return download(call, "json", "application/x-ndjson"); }
Response download_html(const Call& call) { return download(call, "html", "text/html; charset=utf-8"); }

}  // namespace scfe::server
