#include "cli/further.h"

#include "cli/room_number.h"
#include "cli/text_table.h"

namespace scfe::cli {
namespace {

template <class Visit>
void each_room(const Question& question, const Answer& answer, const Visit& visit) {
  for (const FeatureChange& change : answer.explanation.changes)
    if (change.room > 0) {
      const Feature& feature = question.bundle.encoder.schema().columns[change.feature].feature;
      visit(feature, room_number(feature, change.room));
    }
}

}  // namespace

std::vector<std::string> further_lines(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::vector<std::string> lines;
  if (e.proven) lines.push_back("proven: no closer answer within the limits");
  if (!e.stability.empty()) {
    std::string line =
        "stable within " + percent(question.options.robust) + " of every range (" + e.stability + ")";
    each_room(question, answer, [&](const Feature& feature, const std::string& room) {
      line +=
          "; " + feature.name + " may go back by " + room + (feature.unit.empty() ? "" : " " + feature.unit);
    });
    lines.push_back(line);
  }
  if (e.knee) lines.push_back("knee: further changes bring little");
  if (e.timed_out) lines.push_back("time was up: a closer answer may exist");
  for (const Hint& hint : e.hints) lines.push_back(hint.text);
  return lines;
}

std::string room_text(const Question& question, const Answer& answer) {
  std::string text;
  each_room(question, answer, [&](const Feature& feature, const std::string& room) {
    text += (text.empty() ? "" : ";") + feature.name + "=" + room;
  });
  return text;
}

}  // namespace scfe::cli
