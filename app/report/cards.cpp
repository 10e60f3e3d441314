// The card of one row: its changes, and how they compare with the rows of the target class.
#include <algorithm>
#include <cmath>

#include "output/further.h"
#include "report/html_text.h"
#include "report/sections.h"
#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

// The share of each level among the class's rows.
std::vector<LevelShare> level_shares(const Question& question, std::size_t column, int target) {
  const Encoder& encoder = question.bundle.encoder;
  const std::size_t count = std::max<std::size_t>(encoder.schema().columns[column].feature.levels.size(),
                                                  2);  // a binary feature may have none: 0 and 1
  const std::vector<double> places = Diagnostics(question.bundle.explainer).class_values(target, column);
  std::vector<LevelShare> shares;
  for (std::size_t level = 0; level < count; ++level)
    shares.push_back({encoder.text(column, static_cast<double>(level)), 0});
  for (const double place : places)  // of an ordinal column it is a scaled number, and may be rounded
    if (const double level = std::round(place); level >= 0 && level < static_cast<double>(count))
      shares[static_cast<std::size_t>(level)].share += 1 / static_cast<double>(places.size());
  return shares;
}

std::string picture(const Question& question, const Answer& answer, std::size_t column) {
  const int target = answer.explanation.target;
  const Column& described = question.bundle.encoder.schema().columns[column];
  if (described.has_levels() || described.feature.is_category())
    return level_strip(level_shares(question, column, target), answer.from[column], answer.to[column]);
  const auto from = parse_number(answer.from[column]), to = parse_number(answer.to[column]);
  if (!from || !to) return "";
  return change_strip(Diagnostics(question.bundle.explainer).class_values(target, column), *from, *to);
}

std::string change_row(const Question& question, const Answer& answer, std::size_t column) {
  const Feature& feature = question.bundle.encoder.schema().columns[column].feature;
  return tag("tr", "",
             tag("td", "", escaped(feature.name)) + tag("td", "n", escaped(answer.from[column])) +
                 tag("td", "n to", escaped(answer.to[column])) + tag("td", "unit", escaped(feature.unit)) +
                 tag("td", "strip", picture(question, answer, column))) +
         "\n";
}

std::string heading(const Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const Explanation& e = answer.explanation;
  std::string what = escaped(class_name(schema, e.predicted)) + tag("span", "arrow", "&rarr;") +
                     tag("span", e.found() ? "wish" : "none", escaped(class_name(schema, e.target)));
  if (e.status == Status::below_floor) what += " " + tag("span", "badge", "less typical than asked");
  std::string text = tag("h3", "", escaped(answer_title(question, answer))) + tag("span", "what", what);
  if (e.found())
    text += tag("span", "p",
                percent_against(answer.probability_before, 0.5) + " " +
                    probability_bar(answer.probability_before, e.probability) + " " +
                    percent_against(e.probability, 0.5));
  return tag("div", "head", text) + "\n";
}

std::string footing(const Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const std::size_t all = schema.columns.size();
  std::string frozen;
  for (const Column& column : schema.columns)
    if (column.feature.immutable) frozen += (frozen.empty() ? "" : ", ") + column.feature.name;
  std::string text = std::to_string(all - answer.changed.size()) + " of " + std::to_string(all) +
                     " features stay as they are" +
                     (frozen.empty() ? "" : " (never to change: " + frozen + ")");
  if (question.options.density != DensityKind::none)
    text += "; the result is as typical as " + percent(answer.explanation.quantile) + " of " +
            class_rows_name(question, answer.explanation.target);
  std::string lines = tag("p", "soft", escaped(text + "."));
  for (const std::string& line : further_lines(question, answer)) lines += tag("p", "soft", escaped(line));
  return lines;
}

}  // namespace

std::string card(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::string text = heading(question, answer);
  if (!e.found()) {
    text += tag("p", "none", "No answer: " + escaped(e.reason) + ".");
  } else if (answer.changed.empty()) {
    text += tag("p", "none", "Already in the target class: nothing to change.");
  } else {
    std::string rows =
        "<tr><th>feature</th><th class=\"n\">from</th><th class=\"n\">to</th><th>unit</th>"
        "<th>among the target class</th></tr>\n";
    for (const std::size_t column : answer.changed) rows += change_row(question, answer, column);
    text += tag("table", "changes", rows) + footing(question, answer);
  }
  return tag("section", "card", text) + "\n";
}

}  // namespace scfe::app
