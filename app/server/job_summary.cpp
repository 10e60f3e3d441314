#include "server/job_summary.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

#include "server/json_in.h"
#include "server/json_out.h"
#include "text/json_text.h"

namespace scfe::server {
namespace {

std::string counts_json(const std::map<std::string, std::size_t>& counts) {
  app::JsonObject object;
  for (const auto& [name, count] : counts) object.raw(name, std::to_string(count));
  return object.str();
}

}  // namespace

std::string job_summary(const std::string& answers_json) {
  std::ifstream file(answers_json);
  std::string line, before;
  std::map<std::string, std::size_t> status, changes, changed;
  double distance = 0, quantile = 0, moved = 0;
  std::getline(file, line);  // the question
  while (std::getline(file, line)) {
    const Json row = Json::parse(line);
    const auto rank = row.find("answer");
    const bool first = rank == row.end() || row["row"] != before || *rank == 1;
    before = row["row"].get<std::string>();
    if (first) ++status[row["status"].get<std::string>()];
    if (!row.contains("changes")) continue;
    if (first) ++changes[std::to_string(row["changes"].size())];
    if (row["changes"].empty()) continue;
    for (const Json& change : row["changes"]) ++changed[change["feature"].get<std::string>()];
    const Json& metrics = row["metrics"];
    const Json& own = metrics.contains("distance") ? metrics["distance"] : metrics["l2"];
    distance += own.is_number() ? own.get<double>() : 0;
    quantile += metrics.contains("quantile") && metrics["quantile"].is_number()
                    ? metrics["quantile"].get<double>()
                    : 0;
    moved += 1;
  }
  std::vector<std::pair<std::string, std::size_t>> most(changed.begin(), changed.end());
  std::ranges::stable_sort(most, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> features;
  for (const auto& [name, count] : most)
    features.push_back(app::JsonObject().text("feature", name).raw("rows", std::to_string(count)).str());
  return app::JsonObject()
      .raw("status", counts_json(status))
      .raw("changes", counts_json(changes))
      .raw("changed", app::json_list(features))
      .raw("distance", moved > 0 ? app::json_number(distance / moved) : "null")
      .raw("quantile", moved > 0 ? app::json_number(quantile / moved) : "null")
      .str();
}

}  // namespace scfe::server
