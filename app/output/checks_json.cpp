#include "output/checks_json.h"

namespace scfe::app {
namespace {

std::string count(std::size_t number) { return std::to_string(number); }

std::string interval_json(const Interval& i) {
  return JsonObject()
      .number("mean", i.mean)
      .raw("lo", i.known ? json_number(i.lo) : "null")
      .raw("hi", i.known ? json_number(i.hi) : "null")
      .str();
}

// null without values.
std::string mean_json(const std::vector<double>& values) {
  return values.empty() ? "null" : interval_json(mean_of(values));
}

}  // namespace

std::string verified_json(const Verified& verified) {
  std::vector<std::string> violations;
  for (const Violation& violation : verified.violations)
    violations.push_back(JsonObject().text("row", violation.row).text("text", violation.text).str());
  return JsonObject()
      .flag("holds", verified.holds())
      .raw("checked", count(verified.checked))
      .raw("broken", count(verified.broken))
      .raw("below_floor", count(verified.below))
      .raw("without", count(verified.without))
      .raw("missing", count(verified.missing))
      .raw("strays", json_texts(verified.strays))
      .raw("violations", json_list(violations))
      .raw("stability", verified.stability == StabilityProof::none
                            ? "null"
                            : json_quoted(stability_name(verified.stability)))
      .str();
}

JsonObject audit_json(const Question& question, const Audit& audit) {
  std::vector<std::string> groups;
  for (const auto& [name, group] : audit.groups) {
    std::vector<std::string> changed;
    for (const auto& [feature, share] : group.changed_shares())
      changed.push_back(JsonObject().text("feature", feature).raw("share", interval_json(share)).str());
    groups.push_back(JsonObject()
                         .text("name", name)
                         .raw("rows", count(group.rows))
                         .raw("refused", count(group.refused))
                         .raw("answered", group.refused == 0 ? "null" : interval_json(group.answered_share()))
                         .raw("distance", mean_json(group.distance))
                         .raw("changes", mean_json(group.changes))
                         .raw("quantile", mean_json(group.quantile))
                         .raw("changed", json_list(changed))
                         .str());
  }
  JsonObject object;
  object.text("by", audit.by).text("note", audit_note(question)).raw("groups", json_list(groups));
  return object;
}

}  // namespace scfe::app
