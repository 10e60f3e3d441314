#include <algorithm>
#include <cstdio>
#include <utility>

#include "output/asked.h"
#include "output/further.h"
#include "output/sinks.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

// The unit has a column only if some change has one.
std::string changes_table(const Schema& schema, const Answer& answer) {
  const bool units = std::ranges::any_of(
      answer.changed, [&](std::size_t column) { return !schema.columns[column].feature.unit.empty(); });
  TextTable table({Align::left, Align::right, Align::right, Align::left});
  const auto add = [&](std::vector<std::string> cells) {
    if (!units) cells.pop_back();
    table.add(std::move(cells));
  };
  add({"feature", "from", "to", "unit"});
  for (const std::size_t column : answer.changed) {
    const Feature& feature = schema.columns[column].feature;
    add({feature.name, answer.from[column], answer.to[column], feature.unit});
  }
  return table.text(2);
}

class TableSink : public Sink {
 public:
  explicit TableSink(const Question& question) : question_(question), head_(limits_text(question)) {}
  void add(const Answer& answer) override {
    std::string text = std::exchange(head_, "");  // what all answers share is said once
    if (!text.empty()) text += "\n\n";
    text += answer_text(question_, answer);
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
  }
  void flush() override { (void)std::fflush(stdout); }

 private:
  const Question& question_;
  std::string head_;
};

}  // namespace

std::string answer_text(const Question& question, const Answer& answer) {
  const Schema& schema = question.bundle.encoder.schema();
  const Explanation& e = answer.explanation;
  const std::string target = class_name(schema, e.target);
  std::string text = answer_title(question, answer) + ": ";
  if (e.predicted < 0) return text + "not asked\n  " + e.reason() + "\n\n";  // a row that was dropped
  text += class_name(schema, e.predicted) + " -> " + target;
  const std::string filled = answer.filled.empty() ? "" : "\n  " + filled_line(question, answer);
  if (!e.found())
    return text + "\n  no answer (" + std::string(status_name(e.status)) + "): " + join(e.reasons, "\n    ") +
           filled + "\n\n";
  if (e.status == Status::already && answer.changed.empty())
    return text + "\n  already " + target + ", " + percent_against(e.probability, 0.5) +
           ": nothing to change" + filled + "\n\n";
  text += question.options.reach.empty()
              ? "   probability " + percent_against(answer.probability_before, 0.5) + " -> " +
                    percent_against(e.probability, 0.5) + "\n"
              : "   output " + short_number(answer.output_before) + " -> " + short_number(e.output) + "\n";
  text += changes_table(schema, answer);
  if (question.options.density != DensityKind::none)
    text += "  plausible: " + typical_text(question, e) + "\n";
  text += "  " + unchanged_text(question, answer) + "\n";
  for (const std::string& line : further_lines(question, answer)) text += "  " + line + "\n";
  return text + "\n";
}

std::unique_ptr<Sink> table_sink(const Question& question) { return std::make_unique<TableSink>(question); }

}  // namespace scfe::app
