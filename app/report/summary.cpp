// The summary: how many rows have an answer, which features change most, and which limits block answers.
#include <algorithm>

#include "report/html_text.h"
#include "report/sections.h"
#include "scfe/metrics.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

constexpr std::size_t most_features = 15, most_limits = 8;

std::string tile(const std::string& value, const std::string& what) {
  return tag("div", "tile", tag("b", "", escaped(value)) + tag("span", "", escaped(what)));
}

std::string outcomes(const ReportData& data) {
  std::string rows = "<tr><th>outcome</th><th class=\"n\">rows</th><th class=\"n\">share</th></tr>\n";
  for (const auto& [status, count] : data.status)
    rows +=
        tag("tr", "",
            tag("td", "", std::string(status_title(status)) + " " + tag("code", "", status_name(status))) +
                tag("td", "n", std::to_string(count)) +
                tag("td", "n", percent(static_cast<double>(count) / static_cast<double>(data.rows)))) +
        "\n";
  return panel("Outcome", tag("table", "", rows));
}

std::string blocking(const ReportData& data) {
  if (data.blocking.empty()) return "";
  std::vector<std::pair<std::string, std::size_t>> limits(data.blocking.begin(), data.blocking.end());
  std::ranges::stable_sort(limits, [](const auto& a, const auto& b) { return a.second > b.second; });
  limits.resize(std::min(limits.size(), most_limits));
  std::string rows = "<tr><th>limit</th><th class=\"n\">rows</th></tr>\n";
  for (const auto& [limit, count] : limits)
    rows += tag("tr", "", tag("td", "", escaped(limit)) + tag("td", "n", std::to_string(count))) + "\n";
  return panel("Limits that block",
               tag("p", "soft", "Rows without a full answer that have one if this limit alone is lifted.") +
                   tag("table", "", rows));
}

std::string features(const ReportData& data) {
  std::vector<FeatureCount> order = data.features;
  std::erase_if(order, [](const FeatureCount& f) { return f.total() == 0; });
  if (order.empty()) return "";
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.total() > b.total(); });
  order.resize(std::min(order.size(), most_features));
  return panel("What changes most",
               "<p class=\"soft legend\">In how many of " + std::to_string(data.changes.size()) +
                   " answers a feature changes: <span><i class=\"down\"></i>falls</span> "
                   "<span><i class=\"up\"></i>rises</span> "
                   "<span><i class=\"other\"></i>another level</span></p>\n" +
                   feature_bars(order, data.changes.size()));
}

std::string number_row(const std::string& name, const std::vector<double>& values, bool share) {
  const Summary s = summary_of(values);
  std::string cells = tag("td", "", name);
  for (const double value : {s.mean, s.median, s.p95})
    cells += tag("td", "n", escaped(share ? percent(value) : short_number(value)));
  return tag("tr", "", cells) + "\n";
}

std::string numbers(const Question& question, const ReportData& data) {
  if (data.changes.empty()) return "";
  std::string rows =
      "<tr><th></th><th class=\"n\">mean</th><th class=\"n\">median</th><th class=\"n\">95 % "
      "below</th></tr>\n";
  rows += number_row("features changed", data.changes, false) + number_row("distance (l2)", data.l2, false) +
          number_row("distance (l1)", data.l1, false);
  if (data.metric != Distance::l2)
    rows += number_row("distance as asked (" + std::string(name_of(data.metric)) + ")", data.distance, false);
  if (question.options.density != DensityKind::none)
    rows += number_row("as typical as ... of the class", data.quantile, true);
  return panel("In numbers", tag("table", "", rows) +
                                 tag("p", "soft",
                                     "Answers that change something. Distances count every feature in units "
                                     "of its training range. Every answer was written out, read back and "
                                     "predicted again."));
}

std::string trade(const Question& question, const ReportData& data) {
  const std::vector<TradeLine> lines = trade_lines(question, data.shown);
  if (lines.empty()) return "";
  return panel("Fewer changes, or more typical answers",
               tag("p", "soft",
                   "Share of the first " + std::to_string(std::min(ReportData::trade_rows, data.rows)) +
                       " rows with an answer, by how many features may change and how typical it must be.") +
                   trade_off(lines));
}

}  // namespace

std::string_view status_title(Status status) {
  static constexpr std::string_view titles[] = {
      "already in the target class", "valid, within every limit", "valid, but less typical than asked",
      "no answer within the limits", "no answer: time was up",    "no answer: model or density not finite"};
  return titles[static_cast<std::size_t>(status)];
}

std::string summary_tiles(const Question& question, const ReportData& data) {
  const bool with_density = question.options.density != DensityKind::none;
  const std::string changes = short_number(summary_of(data.changes).median);
  const auto of_status = data.status.find(Status::already);
  const std::size_t already = of_status == data.status.end() ? 0 : of_status->second,
                    in_need = data.rows - already;
  const std::string rows = data.rows == 1 ? "row" : "rows";
  return tag("div", "tiles",
             tile(in_need == 0
                      ? "-"
                      : percent(static_cast<double>(data.found - already) / static_cast<double>(in_need)),
                  "of the rows that need an answer have one") +
                 tile(std::to_string(data.rows),
                      rows + (already == 0 ? "" : ", " + std::to_string(already) + " in the class already")) +
                 tile(changes, changes == "1" ? "change (median)" : "changes (median)") +
                 (with_density ? tile(data.quantile.empty() ? "-" : percent(summary_of(data.quantile).median),
                                      "of the class are no more typical (median)")
                               : tile(short_number(summary_of(data.distance).median),
                                      "distance " + std::string(name_of(data.metric)) + " (median)"))) +
         "\n";
}

std::string summary_section(const Question& question, const ReportData& data) {
  return outcomes(data) + blocking(data) + features(data) + trade(question, data) + numbers(question, data);
}

}  // namespace scfe::app
