#include "server/router.h"

#include <algorithm>
#include <new>

#include "scfe/error.h"
#include "server/page.h"

namespace scfe::server {
namespace {

// Takes the next part off a path: of "/api/models" it is "api", and "/models" is left.
std::string_view next_part(std::string_view& path) {
  const std::size_t end = std::min(path.find('/', 1), path.size());
  const std::string_view part = path.substr(1, end - 1);
  path.remove_prefix(end);
  return part;
}

// "{model}:explain" takes "german_credit:explain" and captures "german_credit".
bool matches(std::string_view pattern, std::string_view part, std::vector<std::string>& captures) {
  if (!pattern.starts_with('{')) return pattern == part;
  const std::string_view ending = pattern.substr(pattern.find('}') + 1);
  if (!part.ends_with(ending) || part.size() == ending.size()) return false;
  const std::string_view captured = part.substr(0, part.size() - ending.size());
  if (captured.find(':') != std::string_view::npos) return false;
  captures.emplace_back(captured);
  return true;
}

bool matches(const Route& route, std::string_view path, std::vector<std::string>& captures) {
  std::string_view pattern = route.pattern;
  captures.clear();
  while (!pattern.empty() && !path.empty())
    if (!matches(next_part(pattern), next_part(path), captures)) return false;
  return pattern.empty() && path.empty();
}

bool has_type(const Request& head, std::string_view type) {
  std::string given = head.header("content-type");
  given = given.substr(0, given.find(';'));
  while (given.ends_with(' ')) given.pop_back();
  for (char& c : given) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return given == type;
}

// Errors of the library name flags of the command line; a request has members instead.
std::string without_dashes(const std::string& what) { return what.starts_with("--") ? what.substr(2) : what; }

}  // namespace

const std::vector<Route>& routes() {
  using enum Takes;
  constexpr Place here = Place::here, quick = Place::quick, engine = Place::engine;
  static const Parameter asked = {"question", "the question as JSON text"};
  static const std::vector<Route> table = {
      {"GET", "/", nothing, here, show_page, "The page for people", "", "", 200, true},
      {"GET", "/assets/{file}", nothing, here, show_asset, "A file of the page", "", "", 200, true},
      {"GET", "/healthz", nothing, here, show_health, "Is the process alive?", "", "Health", 200, true},
      {"GET", "/readyz", nothing, here, show_readiness, "Does it take requests?", "", "Health", 200, true},
      {"GET", "/metrics", nothing, here, show_metrics, "Counters as Prometheus text", "", ""},
      {"GET", "/openapi.json", nothing, here, show_openapi, "This document", "", "Any"},
      {"GET", "/api/models", nothing, here, list_models, "The models that are served", "", "Models"},
      {"GET", "/api/models/{model}", nothing, here, show_model, "Schema, classes and histograms", "",
       "Model"},
      {"GET",
       "/api/models/{model}/examples",
       nothing,
       quick,
       show_examples,
       "Rows to begin with",
       "",
       "Examples",
       200,
       false,
       {{"limit", "how many [50]", false, 1, most_examples}}},
      {"GET", "/api/options", nothing, here, show_options, "What a question may ask for", "", "OptionList"},
      {"POST", "/api/models/{model}/predict", json, quick, predict_rows, "Class and probabilities of rows",
       "RowsRequest", "Predictions"},
      {"POST", "/api/models/{model}/explain", json, engine, explain_rows, "Counterfactuals of rows",
       "ExplainRequest", "Explained"},
      {"POST", "/api/models/{model}/verify", csv_in_json, engine, verify_answers,
       "Checks given answers against every limit", "VerifyRequest", "Verified"},
      {"POST",
       "/api/models/{model}/audit",
       csv,
       engine,
       audit_groups,
       "Compares recourse between groups of rows",
       "",
       "Audit",
       200,
       false,
       {{"by", "the column whose values are the groups", true}, asked}},
      {"POST",
       "/api/models/{model}/jobs",
       csv,
       engine,
       start_job,
       "Starts a batch job",
       "",
       "Job",
       202,
       false,
       {asked, {"by", "a column whose groups the report compares"}, {"name", "for people"}}},
      {"GET", "/api/jobs", nothing, here, list_jobs, "All jobs, newest first", "", "Jobs"},
      {"GET", "/api/jobs/{id}", nothing, here, show_job, "State and progress of a job", "", "Job"},
      {"DELETE", "/api/jobs/{id}", nothing, here, delete_job, "Cancels and deletes a job", "", "", 204},
      {"GET", "/api/jobs/{id}/answers.csv", nothing, here, download_csv, "Its answers as CSV", "", ""},
      {"GET", "/api/jobs/{id}/answers.json", nothing, here, download_json, "Its answers as JSON lines", "",
       ""},
      {"GET", "/api/jobs/{id}/answers.html", nothing, here, download_html, "Its report", "", ""},
      {"GET", "/v1/models", nothing, here, kserve_models, "KServe: the models", "", "KServeModels"},
      {"POST", "/v1/models/{model}:predict", json, quick, kserve_predict, "KServe: predict",
       "InstancesRequest", "Predictions"},
      {"POST", "/v1/models/{model}:explain", json, engine, kserve_explain, "KServe: explain",
       "KServeExplainRequest", "Explanations"},
      {"GET", "/v1/models/{model}", nothing, here, kserve_model, "KServe: is a model ready?", "",
       "KServeModel"}};
  return table;
}

const ServedModel& Call::model() const {
  const ServedModel* const found = service.models.find(captures[0]);
  if (found == nullptr) throw Refusal{404, "no model '" + captures[0] + "'; GET /api/models lists them"};
  return *found;
}

Json Call::body() const { return parse_object(request.body, "request"); }

Admitted admit(const Service& service, const Request& head) {
  Admitted admitted;
  const auto refuse = [&](Response response) {
    admitted.refused = std::move(response);
    return admitted;
  };
  if (auto refused = refuse_place(service.access, head)) return refuse(std::move(*refused));
  std::string allowed;
  const std::string method = head.method == "HEAD" ? "GET" : head.method;
  for (const Route& route : routes()) {
    std::vector<std::string> captures;
    if (!matches(route, head.path, captures)) continue;
    if (route.method == method) {
      admitted.route = &route;
      admitted.captures = captures;
      break;
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
  }
  if (admitted.route == nullptr) {
    Response response = allowed.empty()
                            ? problem(404, "no route '" + head.path + "'; /openapi.json lists them")
                            : problem(405, "expected " + allowed + ", got " + head.method);
    if (!allowed.empty()) response.headers.emplace_back("Allow", allowed);
    return refuse(std::move(response));
  }
  if (!admitted.route->open)
    if (auto refused = refuse_stranger(service.access, head)) return refuse(std::move(*refused));
  const Takes takes = admitted.route->takes;
  const bool in_json = takes == Takes::json || takes == Takes::csv_in_json;
  if (in_json && !has_type(head, "application/json"))
    return refuse(
        problem(415, "Content-Type: expected application/json, got '" + head.header("content-type") + "'"));
  if (takes == Takes::csv && !has_type(head, "text/csv"))
    return refuse(problem(415, "Content-Type: expected text/csv, got '" + head.header("content-type") + "'"));
  admitted.most_bytes = takes == Takes::nothing ? 0
                        : takes == Takes::json  ? service.limits.body_bytes
                                                : service.limits.upload_bytes;
  return admitted;
}

Response answer(const Service& service, const Admitted& admitted, const Request& request,
                const std::stop_token& stop, double seconds) {
  try {
    if (service.stopping && admitted.route->place != Place::here)
      return problem(503, "the server is stopping");
    return admitted.route->handle({service, request, admitted.captures, stop, seconds});
  } catch (const Refusal& refusal) {
    return problem(refusal.status, refusal.detail);
  } catch (const Error& error) {
    return problem(400, without_dashes(error.what()));
  } catch (const std::bad_alloc&) {
    return problem(503, "out of memory");
  } catch (const std::exception& error) {
    return problem(500, error.what());
  }
}

}  // namespace scfe::server
