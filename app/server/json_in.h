// Requests as JSON: a question becomes the flags of the command line, rows become a table of cells. From
// there on all doors share one way (app/ask).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ask/arguments.h"
#include "scfe/schema.h"
#include "scfe/table.h"
#include "server/limits.h"

namespace scfe::server {

using Json = nlohmann::json;

// Throws Error unless the text is one JSON object, of modest depth and size (scfe/memory.h).
Json parse_object(const std::string& text, const std::string& what);

// The question with its lists as lists of names, as it is sent back; the same question always has the same
// text. Throws Error on an unknown member or a wrong type.
Json normal_question(const Json& question, const Schema& schema, const Limits& limits);
// The flags of a normal question.
app::Arguments arguments_of(const Json& question);

// The rows of `row` or `rows` (`instances` with KServe). Throws Error, or Refusal (413) above the limit.
std::vector<Json> rows_in(const Json& body, const std::string& many, const Limits& limits);
// Their cells, in columns of the features, of the id, and of limits of single rows.
Table table_of(const std::vector<Json>& rows, const Schema& schema);

}  // namespace scfe::server
