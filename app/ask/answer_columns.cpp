#include "ask/answer_columns.h"

#include <algorithm>
#include <vector>

namespace scfe::app {

AnswerColumns answer_columns(const Schema& schema) {
  std::vector<std::string> taken;
  for (const Column& column : schema.columns) taken.push_back(column.feature.name);
  const auto free = [&](std::string name) {
    while (std::ranges::find(taken, name) != taken.end()) name = "scfe_" + name;
    taken.push_back(name);
    return name;
  };
  AnswerColumns columns;
  columns.row = free(schema.id.empty() ? "row" : schema.id);
  columns.answer = free("answer");
  columns.status = free("status");
  columns.changes = free("changes");
  columns.changed = free("changed");
  columns.proven = free("proven");
  columns.stability = free("stability");
  columns.room = free("room");
  columns.distance = free("distance");
  columns.plausibility = free("plausibility");
  columns.knee = free("knee");
  columns.reason = free("reason");
  return columns;
}

}  // namespace scfe::app
