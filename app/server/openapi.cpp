#include "server/openapi.h"

#include <algorithm>
#include <cmath>

#include "scfe/table.h"
#include "scfe/version.h"
#include "server/openapi_schemas.h"

namespace scfe::server {
namespace {

Json problem_response(const char* when) {
  return {{"description", when},
          {"content", {{"application/problem+json", {{"schema", schema_ref("Problem")}}}}}};
}

// For each model, a table of the row that its page begins with.
Json csv_examples(const Service& service) {
  Json examples = Json::object();
  for (const auto& model : service.models.all()) {
    const Json start = Json::parse(model->document()).at("start");
    std::vector<std::string> header, cells;
    for (const Column& column : model->schema().columns) {
      const Json& cell = start.at(column.feature.name);
      header.push_back(column.feature.name);
      cells.push_back(cell.is_string() ? cell.get<std::string>() : cell.is_null() ? "" : cell.dump());
    }
    std::string text;
    append_csv_row(text, header);
    append_csv_row(text, cells);
    examples[model->name()] = {{"value", text}};
  }
  return examples;
}

Json parameters_of(const Route& route) {
  Json list = Json::array();
  const std::string pattern(route.pattern);
  for (std::size_t at = pattern.find('{'); at != std::string::npos; at = pattern.find('{', at + 1)) {
    const std::string name = pattern.substr(at + 1, pattern.find('}', at) - at - 1);
    list.push_back({{"name", name},
                    {"in", "path"},
                    {"required", true},
                    {"schema", name == "model" ? schema_ref("ModelName") : Json{{"type", "string"}}}});
  }
  for (const Parameter& parameter : route.query) {
    Json entry = {{"name", parameter.name},
                  {"in", "query"},
                  {"required", parameter.required},
                  {"description", parameter.help},
                  {"schema", {{"type", "string"}}}};
    if (parameter.name == "question") {
      entry.erase("schema");
      entry["content"] = {{"application/json", {{"schema", schema_ref("Question")}}}};
    }
    if (parameter.most > 0)
      entry["schema"] = {{"type", "integer"}, {"minimum", parameter.least}, {"maximum", parameter.most}};
    list.push_back(entry);
  }
  return list;
}

// The media type of a route whose answer is no JSON of a schema; empty: there is no body.
std::string media_type(const Route& route) {
  if (route.pattern.ends_with(".csv")) return "text/csv";
  if (route.pattern.ends_with(".html") || route.pattern == "/") return "text/html";
  if (route.pattern.ends_with("answers.json")) return "application/x-ndjson";
  if (route.pattern == "/metrics") return "text/plain";
  return "";
}

Json responses_of(const Route& route) {
  Json good = {{"description", route.summary}};
  if (!route.answers.empty())
    good["content"] = {{"application/json", {{"schema", schema_ref(std::string(route.answers))}}}};
  else if (const std::string type = media_type(route); !type.empty())
    good["content"] = {{type, {{"schema", {{"type", "string"}}}}}};
  else if (route.pattern.starts_with("/assets"))
    good["content"] = {{"*/*", Json::object()}};
  Json responses = {{std::to_string(route.status), good}};
  responses["400"] = problem_response("the request is not valid");
  responses["403"] = problem_response("another Origin or Host");
  responses["413"] = problem_response("too large");
  responses["431"] = problem_response("the headers, of which the address is one, are too large");
  if (route.takes != Takes::nothing) responses["408"] = problem_response("the body did not arrive in time");
  responses["503"] = problem_response("too busy, or stopping");
  if (!route.open) responses["401"] = problem_response("the token is missing or wrong");
  if (route.pattern.find('{') != std::string_view::npos) responses["404"] = problem_response("no such thing");
  if (route.takes != Takes::nothing) responses["415"] = problem_response("another Content-Type");
  if (route.pattern.find("/answers.") != std::string_view::npos)
    responses["409"] = problem_response("the job is not done");
  if (route.status == 202) responses["429"] = problem_response("too many jobs");
  return responses;
}

std::string operation_id(const Route& route) {
  std::string id(route.method);
  for (char& c : id) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const char c : route.pattern) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      id += c;
    else if (!id.ends_with('_'))
      id += '_';
  }
  while (id.ends_with('_')) id.pop_back();
  return id;
}

Json operation_of(const Route& route, const Service& service) {
  Json operation = {{"summary", route.summary},
                    {"operationId", operation_id(route)},
                    {"parameters", parameters_of(route)},
                    {"responses", responses_of(route)}};
  if (route.takes == Takes::json || route.takes == Takes::csv_in_json)
    operation["requestBody"] = {
        {"required", true},
        {"content", {{"application/json", {{"schema", schema_ref(std::string(route.asks))}}}}}};
  if (route.takes == Takes::csv)
    operation["requestBody"] = {
        {"required", true},
        {"content", {{"text/csv", {{"schema", {{"type", "string"}}}, {"examples", csv_examples(service)}}}}}};
  if (route.open) operation["security"] = Json::array();
  return operation;
}

}  // namespace

std::string openapi_document(const Service& service) {
  Json paths = Json::object();
  for (const Route& route : routes()) {
    std::string method(route.method);
    for (char& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    paths[std::string(route.pattern)][method] = operation_of(route, service);
  }
  Json document = {{"openapi", "3.1.0"},
                   {"info",
                    {{"title", "S-CFE"},
                     {"version", version()},
                     {"description",
                      "Counterfactual explanations: the smallest realistic change that would have turned a "
                      "model's decision."},
                     {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
                   {"paths", paths},
                   {"components", {{"schemas", openapi_schemas(service)}}}};
  if (!service.access.token.empty()) {
    document["components"]["securitySchemes"] = {{"token", {{"type", "http"}, {"scheme", "bearer"}}}};
    document["security"] = Json::array({Json{{"token", Json::array()}}});
  }
  return document.dump();
}

}  // namespace scfe::server
