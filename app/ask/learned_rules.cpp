#include "ask/learned_rules.h"

#include <algorithm>

#include "scfe/rules.h"
#include "scfe/text.h"
#include "text/text_table.h"

namespace scfe::app {

std::string learned_rules_text(const Schema& schema) {
  const std::vector<LearnedRule>& learned = schema.learned;
  if (learned.empty()) return "";
  const auto used = static_cast<std::size_t>(std::ranges::count_if(learned, &LearnedRule::used));
  TextTable table({Align::right, Align::right, Align::left, Align::left});
  for (std::size_t i = 0; i < learned.size(); ++i) {
    const std::size_t split = std::min(learned[i].evidence.find("; "), learned[i].evidence.size());
    table.add({std::to_string(i + 1), learned[i].evidence.substr(0, split) + ";",
               learned[i].evidence.substr(std::min(split + 2, learned[i].evidence.size())),
               (used == 0 || learned[i].used ? "" : "(not used) ") + learned[i].text});
  }
  const std::string usage = used == 0 ? "not used (--learned-rules use keeps them in every answer)"
                            : used == learned.size()
                                ? "used in every answer (--drop-rules N switches one off)"
                                : std::to_string(used) + " used in every answer";
  return "learned from the training rows: " + counted(learned.size(), "rule") + ", " + usage + "\n" +
         table.text(2);
}

std::vector<std::string> contradictions_of(const Bundle& bundle) {
  std::vector<std::string> learned;
  for (const LearnedRule& rule : bundle.encoder.schema().learned)
    if (rule.used) learned.push_back(rule.text);
  return contradictions(bundle.explainer.rules(), bundle.explainer.features(), learned);
}

}  // namespace scfe::app
