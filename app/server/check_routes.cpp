// Routes about many answers at once: verify and audit.
#include <algorithm>
#include <chrono>

#include "ask/grouping.h"
#include "ask/row_source.h"
#include "output/checks_json.h"
#include "scfe/error.h"
#include "server/json_out.h"
#include "server/router.h"
#include "server/text_file.h"

namespace scfe::server {
namespace {

void require_few_lines(const std::string& text, const std::string& what, const Limits& limits) {
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  if (lines > limits.rows + 1)
    throw Refusal{413, what + ": expected at most " + std::to_string(limits.rows) +
                           " rows (a limit of this server), got " + std::to_string(lines) + " lines"};
}

std::string text_member(const Json& body, const char* name) {
  if (!body.contains(name) || !body[name].is_string())
    throw Error(name, "the text of a CSV file", body.contains(name) ? body[name].type_name() : "nothing");
  return body[name].get<std::string>();
}

}  // namespace

Json question_parameter(const Request& request) {
  const auto given = request.query.find("question");
  return given == request.query.end() || given->second.empty() ? Json::object()
                                                               : parse_object(given->second, "question");
}

Response verify_answers(const Call& call) {
  const ServedModel& model = call.model();
  const Json body = call.body();
  const Limits& limits = call.service.limits;
  const std::string rows_text = text_member(body, "rows"), answers_text = text_member(body, "answers");
  require_few_lines(rows_text, "rows", limits);
  const auto prepared = model.prepare(body.contains("question") ? body["question"] : Json::object(), limits);
  require_few_lines(answers_text, "answers",
                    {.rows = limits.rows * static_cast<std::size_t>(prepared->question.options.answers)});
  const TextFile rows("rows", rows_text), answers("answers", answers_text);
  try {
    return {.body = app::verified_json(app::verify(
                prepared->question,
                app::read_answers(prepared->question, read_csv(rows.path()), read_csv(answers.path()))))};
  } catch (const Error& error) {
    throw Error(rows.named(answers.named(error.what())));
  }
}

Response audit_groups(const Call& call) {
  using Clock = std::chrono::steady_clock;
  const ServedModel& model = call.model();
  const auto by = call.request.query.find("by");
  if (by == call.request.query.end() || by->second.empty())
    throw Error("by", "the column whose values are the groups", "nothing");
  require_few_lines(call.request.body, "rows", call.service.limits);
  Json question = question_parameter(call.request);
  for (const char* one : {"answers", "path"}) question.erase(one);
  question["hints"] = false;
  const auto prepared = model.prepare_once(question, call.service.limits, by->second, call.service.threads);
  const TextFile file("rows", call.request.body);
  const Clock::time_point start = Clock::now();
  try {
    app::RowSource source(file.path());
    (void)app::group_column(prepared->question, source.first_rows());
    std::map<std::string, app::AuditGroup> groups;
    Table rows;
    while (source.read(rows, 1024)) {
      const auto left = [&] {
        return call.seconds - std::chrono::duration<double>(Clock::now() - start).count();
      };
      for (const app::Answer& answer : prepared->answering(rows, std::max(left(), 1e-6), call.stop))
        groups[answer.group].add(model.schema(), answer);
      if (call.stop.stop_requested() || left() <= 0)
        throw Refusal{503, "time was up before all rows were answered; a job has more time"};
    }
    return {.body = app::audit_json(prepared->question, app::audit_of(by->second, groups)).str()};
  } catch (const Error& error) {
    throw Error(file.named(error.what()));
  }
}

}  // namespace scfe::server
