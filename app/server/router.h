// Which handler answers which request. One table of routes feeds the router, the metrics and the OpenAPI
// document.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/auth.h"
#include "server/engine.h"
#include "server/jobs.h"
#include "server/limits.h"
#include "server/message.h"
#include "server/metrics.h"
#include "server/models.h"

namespace scfe::server {

// All that handlers may use.
struct Service {
  Models models;
  Limits limits;
  Access access;
  int threads = 0;  // of a job or an audit; 0: one for each core
  mutable Metrics metrics = {};
  std::unique_ptr<Jobs> jobs = {};
  std::unique_ptr<Lane> engine = {}, quick = {};
  std::atomic<bool> stopping = false;
  std::string openapi = {};
};

struct Call {
  const Service& service;
  const Request& request;
  std::span<const std::string> captures;  // the parts of the path in braces, in order
  std::stop_token stop;                   // the client went away, or the server stops
  double seconds;                         // left for the work

  const ServedModel& model() const;  // of the first capture. Throws Refusal (404)
  Json body() const;
};

enum class Takes { nothing, json, csv, csv_in_json };  // the last: tables as texts in JSON
// Where it is answered: at once by the thread that reads, on the thread of predictions, or by the engine.
enum class Place { here, quick, engine };

struct Parameter {
  std::string_view name, help;
  bool required = false;
  int least = 0, most = 0;  // of a whole number; 0, 0: a text
};

struct Route {
  std::string_view method, pattern;
  Takes takes = Takes::nothing;
  Place place = Place::here;
  Response (*handle)(const Call&) = nullptr;
  std::string_view summary;
  std::string_view asks, answers;  // schemas in openapi.cpp; empty: no JSON
  int status = 200;
  bool open = false;  // needs no token
  std::vector<Parameter> query = {};
};

const std::vector<Route>& routes();

// The question of the `question` parameter of a request with a CSV body.
Json question_parameter(const Request& request);

// The head of a request, looked at before its body is read.
struct Admitted {
  std::optional<Response> refused;
  const Route* route = nullptr;
  std::vector<std::string> captures = {};
  std::size_t most_bytes = 0;  // of the body
};
Admitted admit(const Service& service, const Request& head);
// Never throws: errors become problems.
Response answer(const Service& service, const Admitted& admitted, const Request& request,
                const std::stop_token& stop, double seconds);

// Handlers, by file.
Response list_models(const Call&);     // info_routes.cpp
Response show_model(const Call&);      //
Response show_examples(const Call&);   //
Response show_options(const Call&);    //
Response show_health(const Call&);     //
Response show_readiness(const Call&);  //
Response show_metrics(const Call&);    //
Response show_openapi(const Call&);    //
Response kserve_models(const Call&);   //
Response kserve_model(const Call&);    //
Response predict_rows(const Call&);    // ask_routes.cpp
Response explain_rows(const Call&);    //
Response kserve_predict(const Call&);  //
Response kserve_explain(const Call&);  //
Response verify_answers(const Call&);  // check_routes.cpp
Response audit_groups(const Call&);    //
Response start_job(const Call&);       // job_routes.cpp
Response list_jobs(const Call&);       //
Response show_job(const Call&);        //
Response delete_job(const Call&);      //
Response download_csv(const Call&);    //
Response download_json(const Call&);   //
Response download_html(const Call&);   //
Response show_page(const Call&);       // page.cpp
Response show_asset(const Call&);      //

}  // namespace scfe::server
