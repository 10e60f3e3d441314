#include <cstdio>

#include "output/further.h"
#include "output/sinks.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string names_of(const Schema& schema, bool immutable) {
  std::string names;
  for (const Column& column : schema.columns)
    if (column.feature.immutable == immutable) names += (names.empty() ? "" : ", ") + column.feature.name;
  return names;
}

std::string kept_text(const Schema& schema, const Answer& answer) {
  const std::size_t all = schema.columns.size();
  const std::string frozen = names_of(schema, true);
  return "kept: " + std::to_string(all - answer.changed.size()) + " of " + std::to_string(all) +
         " features as they are" + (frozen.empty() ? "" : "; may not change: " + frozen);
}

std::string plausible_text(const Question& question, const Explanation& e) {
  const std::string rows = class_rows_name(question, e.target);
  if (e.status != Status::below_floor)
    return "plausible: as typical as " + percent(e.quantile) + " of " + rows;
  const double asked = question.options.plausible;
  return "plausible: as typical as only " + percent_against(e.quantile, asked) + " of " + rows + "; " +
         percent(asked) + " were asked for";
}

class TableSink : public Sink {
 public:
  explicit TableSink(const Question& question) : question_(question) {}
  void add(const Answer& answer) override {
    const std::string text = answer_text(question_, answer);
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
  }
  void flush() override { (void)std::fflush(stdout); }

 private:
  const Question& question_;
};

}  // namespace

std::string answer_text(const Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const Explanation& e = answer.explanation;
  const std::string target = class_name(schema, e.target);
  std::string text = answer_title(question, answer) + ": ";
  text += class_name(schema, e.predicted) + " -> " + target;
  if (!e.found())
    return text + "\n  no answer (" + std::string(status_name(e.status)) + "): " + e.reason + "\n\n";
  if (e.status == Status::already && answer.changed.empty())
    return text + "\n  already " + target + ", " + percent_against(e.probability, 0.5) +
           ": nothing to change\n\n";
  text += question.options.reach.empty()
              ? "   probability " + percent_against(answer.probability_before, 0.5) + " -> " +
                    percent_against(e.probability, 0.5) + "\n"
              : "   output " + short_number(answer.output_before) + " -> " + short_number(e.output) + "\n";
  TextTable table({Align::left, Align::right, Align::right, Align::left});
  table.add({"feature", "from", "to", "unit"});
  for (const std::size_t column : answer.changed)
    table.add({schema.columns[column].feature.name, answer.from[column], answer.to[column],
               schema.columns[column].feature.unit});
  text += table.text(2) + "  " + kept_text(schema, answer) + "\n";
  if (question.options.density != DensityKind::none) text += "  " + plausible_text(question, e) + "\n";
  for (const std::string& line : further_lines(question, answer)) text += "  " + line + "\n";
  return text + "\n";
}

std::unique_ptr<Sink> table_sink(const Question& question) { return std::make_unique<TableSink>(question); }

}  // namespace scfe::app
