#include "output/further.h"

#include <algorithm>

#include "scfe/text.h"
#include "text/room_number.h"
#include "text/text_table.h"

namespace scfe::app {
namespace {

std::string with_unit(const Feature& feature) { return feature.unit.empty() ? "" : " " + feature.unit; }

template <class Visit>
void each_room(const Question& question, const Answer& answer, const Visit& visit) {
  for (const FeatureChange& change : answer.explanation.changes)
    if (has_room(question, answer.explanation, change)) {
      const Feature& feature = question.bundle.encoder.schema().columns[change.feature].feature;
      visit(feature, room_number(feature, change.room));
    }
}

// Visits the unchanged numbers of answers that change only levels.
template <class Visit>
void each_room_either_way(const Question& question, const Answer& answer, const Visit& visit) {
  for (const NumberRoom& stays : answer.explanation.rooms) {
    const Feature& feature = question.bundle.encoder.schema().columns[stays.feature].feature;
    visit(feature, room_number(feature, stays.room));
  }
}

// True if only levels change, and no number can change the class within its range.
bool any_room(const Question& question, const Explanation& e) {
  const std::vector<Column>& columns = question.bundle.encoder.schema().columns;
  const auto is_level = [&](const FeatureChange& c) { return columns[c.feature].feature.is_category(); };
  return e.stability != StabilityProof::none && !e.timed_out && !e.changes.empty() && e.rooms.empty() &&
         std::ranges::all_of(e.changes, is_level);
}

}  // namespace

bool has_room(const Question& question, const Explanation& e, const FeatureChange& change) {
  const bool level = question.bundle.encoder.schema().columns[change.feature].feature.is_category();
  return e.stability != StabilityProof::none && !level && (change.room > 0 || !e.timed_out);
}

std::string filled_line(const Question& question, const Answer& answer) {
  std::vector<std::string> filled;
  for (const std::size_t f : answer.filled) {
    const Feature& feature = question.bundle.encoder.schema().columns[f].feature;
    filled.push_back(feature.name + " = " + answer.from[f] + with_unit(feature));
  }
  return "missing cells were filled, so the answer is about the row with " + join(filled, ", ");
}

std::vector<std::string> further_lines(const Question& question, const Answer& answer) {
  const Explanation& e = answer.explanation;
  std::vector<std::string> lines;
  if (!answer.filled.empty()) lines.push_back(filled_line(question, answer));
  if (e.proven())
    lines.push_back(
        question.options.fewest_first
            ? "proven: no answer within the limits has fewer changes, and none with as many is closer"
            : "proven: no closer answer exists within the limits");
  if (e.stability != StabilityProof::none) {
    const std::string line = "robust: still valid if every number is off by up to " +
                             percent(question.options.robust) + " of its range (" +
                             std::string(stability_name(e.stability)) + ")";
    lines.push_back(line);
    std::vector<std::string> back, either;
    each_room(question, answer, [&](const Feature& feature, const std::string& room) {
      back.push_back(feature.name + " " + room + with_unit(feature));
    });
    each_room_either_way(question, answer, [&](const Feature& feature, const std::string& room) {
      either.push_back(feature.name + " " + room + with_unit(feature));
    });
    if (!back.empty()) lines.push_back("room to go back, each alone: " + join(back, ", "));
    if (!either.empty()) lines.push_back("room to go up or down, each alone: " + join(either, ", "));
    if (any_room(question, e)) lines.push_back("room: no number alone changes the class within its range");
  }
  if (e.knee) lines.emplace_back(Explanation::knee_text);
  if (e.timed_out) lines.push_back("time was up: a closer answer may exist");
  for (const Hint& hint : e.hints) lines.push_back("hint: " + hint.text);
  return lines;
}

std::string room_text(const Question& question, const Answer& answer) {
  std::string text;
  each_room(question, answer, [&](const Feature& feature, const std::string& room) {
    text += (text.empty() ? "" : ";") + feature.name + "=" + room;
  });
  each_room_either_way(question, answer, [&](const Feature& feature, const std::string& room) {
    text += (text.empty() ? "" : ";") + feature.name + "+-" + room;
  });
  return any_room(question, answer.explanation) ? "any" : text;
}

}  // namespace scfe::app
