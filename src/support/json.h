// The one reader of JSON texts: schemas, options, dense networks, XGBoost models, lists of categories.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace scfe {

// Throws an Error with source, line and column if the text is not valid JSON, holds a number that a double
// cannot hold, nests more than 64 levels deep, or would take too much memory (scfe/memory.h).
nlohmann::json parse_json(std::string_view text, const std::string& source);

// The beginning of a value, for error messages: at most 60 characters, however long or deep it is.
std::string brief(const nlohmann::json& value);

}  // namespace scfe
