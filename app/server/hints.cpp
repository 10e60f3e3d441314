#include "server/hints.h"

#include <algorithm>

#include "text/json_text.h"

namespace scfe::server {
namespace {

using Kind = Hint::Kind;

// What a hint changes: the question, and members of the row.
struct Applied {
  Json question, row = Json::object();
};

void lift_member(Json& question, const char* list, const std::string& name) {
  if (!question.contains(list)) return;
  Json& names = question[list];
  names.erase(std::remove(names.begin(), names.end(), Json(name)), names.end());
  if (names.empty()) question.erase(list);
}

void free_feature(Applied& applied, const Json& row, const std::string& name) {
  for (const char* list : {"freeze", "only-up", "only-down"}) lift_member(applied.question, list, name);
  if (row.is_object() && row.contains(name + ":fixed")) applied.row[name + ":fixed"] = nullptr;
}

// Moves the limit to the value that the hint's answer takes: it is then within it.
void move_end(Applied& applied, const Json& row, const std::string& name, const Hint& hint) {
  const bool upper = hint.kind == Kind::upper;
  const auto moved = [&](const Json& end) {
    return end.is_number() && (upper ? end.get<double>() < hint.reached : end.get<double>() > hint.reached);
  };
  Json& question = applied.question;
  if (question.contains("range") && question["range"].contains(name)) {
    Json& end = question["range"][name][upper ? 1 : 0];
    if (moved(end)) end = hint.reached;
  }
  const std::string member = name + (upper ? ":max" : ":min");
  if (row.is_object() && row.contains(member) && moved(row[member])) applied.row[member] = hint.reached;
  lift_member(question, upper ? "only-down" : "only-up", name);
}

Applied apply(const Prepared& prepared, const Hint& hint, const Json& row) {
  Applied applied{prepared.asked};
  const Schema& schema = prepared.question.bundle.encoder.schema();
  const auto place = static_cast<std::size_t>(hint.value);
  if (hint.kind == Kind::plausible) {
    applied.question["plausible"] = hint.value;
    if (row.is_object() && row.contains("log_density:min")) applied.row["log_density:min"] = nullptr;
  }
  if (hint.kind == Kind::changes) applied.question["max-changes"] = static_cast<int>(hint.value);
  if (hint.kind == Kind::feature) free_feature(applied, row, schema.columns[place].feature.name);
  if (hint.kind == Kind::upper || hint.kind == Kind::lower)
    move_end(applied, row, schema.columns[place].feature.name, hint);
  if (hint.kind == Kind::rule) lift_member(applied.question, "rule", schema.rules[place]);
  if (hint.kind == Kind::probability) applied.question["probability"] = 0;
  if (hint.kind == Kind::robust) applied.question["robust"] = 0;
  return applied;
}

}  // namespace

std::vector<std::string> hints_json(const Prepared& prepared, const Explanation& explanation,
                                    const Json& row) {
  const Schema& schema = prepared.question.bundle.encoder.schema();
  std::vector<std::string> hints;
  for (const Hint& hint : explanation.hints) {
    const auto place = static_cast<std::size_t>(hint.value);
    const bool side = hint.kind == Kind::upper || hint.kind == Kind::lower;
    const bool of_feature = side || hint.kind == Kind::feature;
    const Applied applied = apply(prepared, hint, row);
    hints.push_back(
        app::JsonObject()
            .text("kind", name_of(hint.kind))
            .raw("value", of_feature                ? "null"
                          : hint.kind == Kind::rule ? app::json_quoted(schema.rules[place])
                                                    : app::json_number(hint.value))
            .raw("feature", of_feature ? app::json_quoted(schema.columns[place].feature.name) : "null")
            .text("text", hint.text)
            .number("distance", hint.distance)
            .raw("reached", side ? app::json_number(hint.reached) : "null")
            .raw("apply", app::JsonObject()
                              .raw("question", applied.question.dump())
                              .raw("row", applied.row.dump())
                              .str())
            .str());
  }
  return hints;
}

}  // namespace scfe::server
