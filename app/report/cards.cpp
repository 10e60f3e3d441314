// The card of one row: its changes, and how they compare with the rows of the target class. It can be folded;
// a folded card names its changes in one line.
#include <algorithm>
#include <cmath>

#include "output/asked.h"
#include "output/further.h"
#include "report/bars.h"
#include "report/charts.h"
#include "report/html_text.h"
#include "report/sections.h"
#include "scfe/diagnostics.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

// The share of each level among the class's rows, in the order of the levels if they have one.
std::vector<LevelShare> level_shares(const Question& question, std::size_t column, int target) {
  const Encoder& encoder = question.bundle.encoder;
  const Feature& feature = encoder.schema().columns[column].feature;
  const std::size_t count =
      std::max<std::size_t>(feature.levels.size(), 2);  // a binary feature may have none: 0 and 1
  const std::vector<double> places = Diagnostics(question.bundle.explainer).class_values(target, column);
  std::vector<LevelShare> shares;
  for (std::size_t level = 0; level < count; ++level)
    shares.push_back({encoder.text(column, static_cast<double>(level)), 0});
  for (const double place : places)  // of an ordinal column it is a scaled number, and may be rounded
    if (const double level = std::round(place); level >= 0 && level < static_cast<double>(count))
      shares[static_cast<std::size_t>(level)].share += 1 / static_cast<double>(places.size());
  std::vector<LevelShare> sorted;
  for (const int level : feature.order) sorted.push_back(shares[static_cast<std::size_t>(level)]);
  return sorted.empty() ? shares : sorted;
}

std::string picture(const Question& question, const Answer& answer, std::size_t column) {
  const int target = answer.explanation.target;
  const Column& described = question.bundle.encoder.schema().columns[column];
  const Feature& feature = described.feature;
  if (described.has_levels() || feature.is_category())
    return level_bars(level_shares(question, column, target), answer.from[column], answer.to[column],
                      feature.kind == Kind::ordinal || !feature.order.empty());
  const auto from = parse_number(answer.from[column]), to = parse_number(answer.to[column]);
  if (!from || !to) return "";
  return number_strip(Diagnostics(question.bundle.explainer).class_values(target, column),
                      {*from, *to, feature.kind == Kind::integer});
}

std::string change_item(const Question& question, const Answer& answer, std::size_t column) {
  const Feature& feature = question.bundle.encoder.schema().columns[column].feature;
  const std::string unit = feature.unit.empty() ? "" : " " + tag("span", "unit", escaped(feature.unit));
  return tag("li", "",
             tag("p", "change",
                 tag("span", "name", escaped(feature.name)) + " " +
                     tag("span", "values",
                         escaped(answer.from[column]) + tag("span", "arrow", "&rarr;") +
                             tag("b", "", escaped(answer.to[column])) + unit)) +
                 picture(question, answer, column)) +
         "\n";
}

// The changes in one line, for a folded card: as an attribute, so that nothing is said twice.
std::string in_one_line(const Question& question, const Answer& answer) {
  std::vector<std::string> changes;
  for (const std::size_t column : answer.changed)
    changes.push_back(question.bundle.encoder.schema().columns[column].feature.name + " " +
                      answer.from[column] + " → " + answer.to[column]);
  if (!answer.explanation.found()) return "no answer";
  return changes.empty() ? "nothing to change" : join(changes, ", ");
}

std::string badge(const Explanation& e) {
  if (e.status == Status::below_floor) return " " + tag("span", "badge", "less typical than asked");
  return e.found() ? "" : " " + tag("span", "badge", "no answer");
}

std::string heading(const Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const Explanation& e = answer.explanation;
  const bool numbers = !question.options.reach.empty();
  const std::string before = numbers ? short_number(answer.output_before) : class_name(schema, e.predicted),
                    after = !numbers    ? class_name(schema, e.target)
                            : e.found() ? short_number(e.output)
                                        : question.options.reach;
  return "<summary data-changes=\"" + escaped(in_one_line(question, answer)) + "\">" +
         tag("h3", "", escaped(answer_title(question, answer))) + " " +
         tag("span", "what",
             escaped(before) + tag("span", "arrow", "&rarr;") +
                 tag("span", e.found() ? "wish" : "none", escaped(after))) +
         badge(e) + "</summary>\n";
}

std::string facts_of(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::string text;
  if (question.options.reach.empty())
    text += tag("p", "p",
                tag("span", "", "Probability " + percent_against(answer.probability_before, 0.5)) + " " +
                    probability_bar(answer.probability_before, e.probability) + " " +
                    tag("span", "", percent_against(e.probability, 0.5)));
  if (question.options.density != DensityKind::none)
    text += tag("p", "", escaped(capital(typical_text(question, e)) + "."));
  text += tag("p", "soft", escaped(capital(unchanged_text(question, answer)) + "."));
  for (const std::string& further : further_lines(question, answer))
    text += tag("p", "soft", escaped(capital(further) + "."));
  return text;
}

}  // namespace

std::string card(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::string text = heading(question, answer), columns;
  for (const std::size_t column : answer.changed)
    columns += (columns.empty() ? "" : " ") + std::to_string(column);
  if (!e.found()) {
    for (const std::string& part : e.reasons) text += tag("p", "none", escaped(capital(part) + "."));
  } else if (answer.changed.empty()) {
    text += tag("p", "none", "Already in the target class: nothing to change.");
  } else {
    std::string items;
    for (const std::size_t column : answer.changed) items += change_item(question, answer, column);
    text += tag("ul", "changes", items) + facts_of(question, answer);
  }
  return "<details class=\"card\" open data-status=\"" + std::string(status_name(e.status)) +
         "\" data-changed=\"" + columns + "\">" + text + "</details>\n";
}

}  // namespace scfe::app
