// Answers as JSON, as docs/http.md describes them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ask/answer.h"
#include "server/models.h"

namespace scfe::server {

// `rows`: the request's rows, for hints on limits of a single row. `predictions`: one for each row of the
// table; empty where a cell is missing.
struct Explained {
  const Prepared& prepared;
  std::span<const Json> rows;
  std::span<const app::Answer> answers;
  std::span<const Prediction> predictions;
};
// An object for each row, with its plans, hints and path.
std::vector<std::string> explained_json(const Explained& explained);

// One object for each row: class, probabilities, typicality.
std::vector<std::string> predictions_json(const ServedModel& model, const Table& rows);
// The predictions of all rows of the table, in order; those with missing cells that are dropped are empty.
std::vector<Prediction> predictions_of(const ServedModel& model, const Table& rows);
// {"refused": 0.86, "approved": 0.14}.
std::string probability_json(const ServedModel& model, const Prediction& prediction);
std::string probability_json(const Schema& schema, const Prediction& prediction);
// A cell as JSON: a number, or the text of a level.
std::string cell_json(const Schema& schema, std::size_t column, const std::string& cell);

}  // namespace scfe::server
