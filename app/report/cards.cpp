// A card: one row, what would change, and how that looks among the rows of the wished class.
#include "cli/text_table.h"
#include "data/number.h"
#include "report/html_text.h"
#include "report/sections.h"

namespace scfe::cli {
namespace {

std::string change_row(const Question& question, const Answer& answer, std::size_t column) {
  const Schema& schema = question.bundle.encoder.schema();
  const Column& c = schema.columns[column];
  const auto from = parse_number(answer.from[column]), to = parse_number(answer.to[column]);
  const bool numbers = from && to && !c.has_levels();
  const std::vector<double> others =
      question.bundle.explainer.class_values(answer.explanation.target, column);
  const std::string strip = numbers ? change_strip(others, *from, *to) : "";
  return tag("tr", "",
             tag("td", "", escaped(c.feature.name)) + tag("td", "n", escaped(answer.from[column])) +
                 tag("td", "n to", escaped(answer.to[column])) + tag("td", "unit", escaped(c.feature.unit)) +
                 tag("td", "strip", strip)) +
         "\n";
}

std::string heading(const Schema& schema, const Answer& answer) {
  const Explanation& e = answer.explanation;
  const std::string name = (schema.id.empty() ? "Row " : schema.id + " ") + answer.name;
  std::string what = escaped(class_name(schema, e.predicted)) + tag("span", "arrow", "&rarr;") +
                     tag("span", e.found() ? "wish" : "none", escaped(class_name(schema, e.target)));
  if (e.status == Status::below_floor) what += " " + tag("span", "badge", "less typical than asked");
  std::string text = tag("h3", "", escaped(name)) + tag("span", "what", what);
  if (e.found())
    text += tag("span", "p",
                percent(answer.probability_before) + " " +
                    probability_bar(answer.probability_before, e.probability) + " " + percent(e.probability));
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
  if (question.options.density != "none")
    text += "; the result is as typical as " + percent(answer.explanation.quantile) + " of " +
            class_name(schema, answer.explanation.target);
  return tag("p", "soft", escaped(text + "."));
}

}  // namespace

std::string card(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::string text = heading(question.bundle.encoder.schema(), answer);
  if (!e.found()) {
    text += tag("p", "none", "No answer: " + escaped(e.reason) + ".");
  } else if (answer.changed.empty()) {
    text += tag("p", "none", "Already in the wished class: nothing to change.");
  } else {
    std::string rows =
        "<tr><th>feature</th><th class=\"n\">from</th><th class=\"n\">to</th><th>unit</th>"
        "<th>among the wished class</th></tr>\n";
    for (const std::size_t column : answer.changed) rows += change_row(question, answer, column);
    text += tag("table", "", rows) + footing(question, answer);
  }
  return tag("section", "card", text) + "\n";
}

}  // namespace scfe::cli
