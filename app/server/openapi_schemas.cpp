#include "server/openapi_schemas.h"

#include <cmath>

#include "scfe/diagnostics.h"

namespace scfe::server {
namespace {

// An object with exactly these members, all of them required.
Json whole_object(const Json& members) {
  Json required = Json::array();
  for (const auto& [name, schema] : members.items()) required.push_back(name);
  return {
      {"type", "object"}, {"properties", members}, {"required", required}, {"additionalProperties", false}};
}
Json list_of(const Json& items) { return {{"type", "array"}, {"items", items}}; }
Json map_of(const Json& values) { return {{"type", "object"}, {"additionalProperties", values}}; }
Json or_null(Json schema) {
  if (schema.contains("type") && schema["type"].is_string()) {
    schema["type"] = {schema["type"], "null"};
    return schema;
  }
  return {{"anyOf", {schema, {{"type", "null"}}}}};
}

const Json text = {{"type", "string"}}, number = {{"type", "number"}}, whole = {{"type", "integer"}},
           flag = {{"type", "boolean"}}, any = Json::object(),
           cell = {{"type", {"number", "string", "null"}}};

Json option_schema(const OptionRow& row, const Limits& limits) {
  Json schema = {{"description", row.help}};
  if (row.type == OptionType::target) {
    schema["type"] = {"string", "integer"};
    return schema;
  }
  schema["type"] = row.json_type();
  if (!row.choices().empty()) schema["enum"] = row.choices();
  if (row.choices().empty() && row.type != OptionType::flag) {
    const OptionBounds& bounds = row.bounds;
    const double least = bounds.or_zero ? std::min(0.0, bounds.least) : bounds.least;
    if (std::isfinite(least)) schema["minimum"] = least;
    if (std::isfinite(bounds.greatest)) schema["maximum"] = bounds.greatest;
    if (row.is(&Options::answers)) schema["maximum"] = limits.answers;
  }
  return schema;
}

Json question_schema(const Limits& limits) {
  Json members = Json::object();
  for (const OptionRow& row : option_catalogue())
    if (row.is_per_request) members[std::string(row.name)] = option_schema(row, limits);
  for (const char* list : {"freeze", "only-up", "only-down", "rule"}) members[list] = list_of(text);
  const Json end = or_null(number);
  members["range"] = map_of({{"type", "array"}, {"items", end}, {"minItems", 2}, {"maxItems", 2}});
  return {{"type", "object"}, {"properties", members}, {"additionalProperties", false}};
}

// A row of one model: every feature, and limits of the row under further names.
Json row_schema(const ServedModel& model) {
  Json members = Json::object(), required = Json::array();
  for (const Column& column : model.schema().columns) {
    const Feature& feature = column.feature;
    Json schema = number;
    if (feature.kind == Kind::integer) schema = whole;
    if (feature.kind == Kind::binary && !column.has_levels())
      schema = {{"type", "integer"}, {"enum", {0, 1}}};
    if (column.has_levels()) schema = {{"type", "string"}, {"enum", feature.levels}};
    if (!feature.unit.empty()) schema["description"] = "in " + feature.unit;
    members[feature.name] = schema;
    required.push_back(feature.name);
  }
  return {{"type", "object"}, {"properties", members}, {"required", required}};
}

Json rows_request(const Json& further) {
  Json members = {{"rows", list_of(schema_ref("Row"))}}, one = {{"row", schema_ref("Row")}};
  for (const auto& [name, schema] : further.items()) members[name] = one[name] = schema;
  const auto object = [](const Json& properties, const char* needed) {
    return Json{{"type", "object"},
                {"properties", properties},
                {"required", {needed}},
                {"additionalProperties", false}};
  };
  return {{"oneOf", {object(one, "row"), object(members, "rows")}}};
}

void add_requests(Json& schemas, const Service& service) {
  Json names = Json::array(), rows = Json::array();
  for (const auto& model : service.models.all()) {
    names.push_back(model->name());
    schemas["Row_" + model->name()] = row_schema(*model);
    rows.push_back(schema_ref("Row_" + model->name()));
  }
  schemas["ModelName"] = {{"type", "string"}, {"enum", names}};
  schemas["Row"] = rows.size() == 1 ? rows[0] : Json{{"anyOf", rows}};
  schemas["Question"] = question_schema(service.limits);
  const Json question = {{"question", schema_ref("Question")}};
  schemas["RowsRequest"] = rows_request(Json::object());
  schemas["ExplainRequest"] = rows_request(question);
  const Json instances = {{"instances", list_of(schema_ref("Row"))}};
  schemas["InstancesRequest"] = {{"type", "object"}, {"properties", instances}, {"required", {"instances"}}};
  schemas["KServeExplainRequest"] = schemas["InstancesRequest"];
  schemas["KServeExplainRequest"]["properties"]["question"] = question["question"];
  schemas["VerifyRequest"] = {
      {"type", "object"},
      {"properties", {{"rows", text}, {"answers", text}, {"question", schema_ref("Question")}}},
      {"required", {"rows", "answers"}}};
}

void add_models(Json& schemas) {
  const Json noun = whole_object({{"one", text}, {"many", text}});
  const Json image = or_null(
      whole_object({{"width", whole}, {"height", whole}, {"channels", whole}, {"range", list_of(number)}}));
  schemas["Models"] = whole_object({{"models", list_of(whole_object({{"name", text},
                                                                     {"kind", text},
                                                                     {"features", whole},
                                                                     {"classes", list_of(text)},
                                                                     {"ready", flag},
                                                                     {"image", image},
                                                                     {"noun", noun}}))}});
  const Json histogram =
      or_null(whole_object({{"edges", or_null(list_of(number))}, {"counts", map_of(list_of(number))}}));
  const Json feature =
      whole_object({{"name", text},
                    {"type", {{"enum", {"continuous", "integer", "ordinal", "binary", "categorical"}}}},
                    {"unit", or_null(text)},
                    {"immutable", flag},
                    {"direction", {{"enum", {"any", "up", "down"}}}},
                    {"derived", flag},
                    {"weight", number},
                    {"range", or_null(list_of(number))},
                    {"step", or_null(number)},
                    {"decimals", or_null(whole)},
                    {"levels", or_null(list_of(text))},
                    {"order", or_null(list_of(text))},
                    {"histogram", histogram}});
  schemas["Model"] = whole_object(
      {{"name", text},
       {"kind", text},
       {"fingerprint", text},
       {"solver", text},
       {"noun", noun},
       {"label", or_null(text)},
       {"id", or_null(text)},
       {"missing", {{"enum", {"error", "drop", "impute"}}}},
       {"rules", list_of(text)},
       {"regression", or_null(whole_object({{"reach", text}}))},
       {"image", image},
       {"classes", list_of(whole_object({{"name", text}, {"rows", whole}, {"density", or_null(text)}}))},
       {"defaults", schema_ref("Question")},
       {"start", map_of(cell)},
       {"features", list_of(feature)}});
  schemas["Examples"] = whole_object(
      {{"examples",
        list_of(whole_object(
            {{"row", text}, {"cells", map_of(cell)}, {"class", text}, {"probability", map_of(number)}}))}});
  const Json option = whole_object({{"name", text},
                                    {"type", text},
                                    {"json_type", text},
                                    {"group", text},
                                    {"help", text},
                                    {"default", any},
                                    {"expected", text},
                                    {"least", or_null(number)},
                                    {"greatest", or_null(number)},
                                    {"choices", or_null(list_of(text))}});
  schemas["OptionList"] =
      whole_object({{"options", list_of(option)},
                    {"limits", list_of(whole_object({{"name", text}, {"help", text}, {"example", any}}))}});
  schemas["KServeModels"] = whole_object({{"models", list_of(text)}});
  schemas["KServeModel"] = whole_object({{"name", text}, {"ready", flag}});
  schemas["Health"] = whole_object({{"status", text}});
}

void add_answers(Json& schemas) {
  const Json status = {
      {"enum", {"valid", "below_floor", "already", "not_found", "time_limit", "not_finite"}}};
  const Json change = whole_object({{"feature", text},
                                    {"from", cell},
                                    {"to", cell},
                                    {"from_text", text},
                                    {"to_text", text},
                                    {"unit", or_null(text)},
                                    {"room", or_null(number)}});
  schemas["Plan"] = whole_object({{"rank", whole},
                                  {"status", status},
                                  {"reason", or_null(text)},
                                  {"target", text},
                                  {"changes", list_of(change)},
                                  {"counterfactual", map_of(cell)},
                                  {"probability_before", or_null(number)},
                                  {"probability", or_null(number)},
                                  {"output_before", or_null(number)},
                                  {"output", or_null(number)},
                                  {"quantile", or_null(number)},
                                  {"log_density", or_null(number)},
                                  {"typical_text", or_null(text)},
                                  {"distance", or_null(number)},
                                  {"l1", or_null(number)},
                                  {"proven", flag},
                                  {"certificate", or_null(text)},
                                  {"lower_bound", or_null(number)},
                                  {"stability", or_null(text)},
                                  {"stable_margin", or_null(number)},
                                  {"knee", flag},
                                  {"timed_out", flag},
                                  {"gradients", whole},
                                  {"notes", list_of(text)}});
  const Json kinds = {"plausible", "changes", "feature", "upper", "lower", "rule", "probability", "robust"};
  schemas["Hint"] = whole_object(
      {{"kind", {{"enum", kinds}}},
       {"value", cell},
       {"feature", or_null(text)},
       {"text", text},
       {"distance", or_null(number)},
       {"reached", or_null(number)},
       {"apply", whole_object({{"question", schema_ref("Question")}, {"row", {{"type", "object"}}}})}});
  const Json point = whole_object({{"max_changes", whole},
                                   {"distance", or_null(number)},
                                   {"quantile", or_null(number)},
                                   {"probability", or_null(number)},
                                   {"knee", flag}});
  schemas["ExplainedRow"] = whole_object({{"row", text},
                                          {"predicted", or_null(text)},
                                          {"target", or_null(text)},
                                          {"status", status},
                                          {"reason", or_null(text)},
                                          {"probability", or_null(map_of(or_null(number)))},
                                          {"plans", list_of(schema_ref("Plan"))},
                                          {"hints", list_of(schema_ref("Hint"))},
                                          {"path", or_null(list_of(point))}});
  schemas["Explained"] = whole_object({{"model", text},
                                       {"question", schema_ref("Question")},
                                       {"rows", list_of(schema_ref("ExplainedRow"))},
                                       {"warnings", list_of(text)}});
  schemas["Explanations"] = whole_object({{"explanations", list_of(schema_ref("ExplainedRow"))}});
  const Json shares = map_of(or_null(number));
  schemas["Predictions"] = whole_object({{"predictions", list_of({{"type", "object"},
                                                                  {"properties",
                                                                   {{"row", text},
                                                                    {"class", or_null(text)},
                                                                    {"reason", text},
                                                                    {"probability", shares},
                                                                    {"typical", shares},
                                                                    {"output", or_null(number)}}},
                                                                  {"required", {"row", "class"}},
                                                                  {"additionalProperties", false}})}});
}

void add_checks(Json& schemas) {
  schemas["Verified"] = whole_object({{"holds", flag},
                                      {"checked", whole},
                                      {"broken", whole},
                                      {"below_floor", whole},
                                      {"without", whole},
                                      {"missing", whole},
                                      {"strays", list_of(text)},
                                      {"violations", list_of(whole_object({{"row", text}, {"text", text}}))},
                                      {"stability", or_null(text)}});
  const Json interval = whole_object({{"mean", number}, {"lo", or_null(number)}, {"hi", or_null(number)}});
  schemas["Audit"] = whole_object(
      {{"by", text},
       {"note", text},
       {"groups", list_of(whole_object(
                      {{"name", text},
                       {"rows", whole},
                       {"refused", whole},
                       {"answered", or_null(interval)},
                       {"distance", or_null(interval)},
                       {"changes", or_null(interval)},
                       {"quantile", or_null(interval)},
                       {"changed", list_of(whole_object({{"feature", text}, {"share", interval}}))}}))}});
  const Json summary = whole_object({{"status", map_of(whole)},
                                     {"changes", map_of(whole)},
                                     {"changed", list_of(whole_object({{"feature", text}, {"rows", whole}}))},
                                     {"distance", or_null(number)},
                                     {"quantile", or_null(number)}});
  schemas["Job"] =
      whole_object({{"id", text},
                    {"name", or_null(text)},
                    {"model", text},
                    {"question", schema_ref("Question")},
                    {"by", or_null(text)},
                    {"state", {{"enum", {"waiting", "running", "done", "failed", "interrupted"}}}},
                    {"rows", whole},
                    {"done", whole},
                    {"answered", whole},
                    {"without", whole},
                    {"error", or_null(text)},
                    {"warnings", list_of(text)},
                    {"created", text},
                    {"finished", or_null(text)},
                    {"summary", or_null(summary)},
                    {"answers", or_null(whole_object({{"csv", text}, {"json", text}, {"html", text}}))}});
  schemas["Jobs"] = whole_object({{"jobs", list_of(schema_ref("Job"))}});
  schemas["Problem"] = whole_object({{"type", text}, {"title", text}, {"status", whole}, {"detail", text}});
  schemas["Any"] = Json::object();
}

}  // namespace

Json schema_ref(const std::string& name) { return {{"$ref", "#/components/schemas/" + name}}; }

Json openapi_schemas(const Service& service) {
  Json schemas = Json::object();
  add_requests(schemas, service);
  add_models(schemas);
  add_answers(schemas);
  add_checks(schemas);
  return schemas;
}

}  // namespace scfe::server
