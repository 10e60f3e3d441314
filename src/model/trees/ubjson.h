// Universal Binary JSON (ubjson.org, draft 12), as XGBoost writes it: big-endian numbers, texts, arrays and
// objects, plain or with a type and a count in front.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace scfe {

// Throws an Error if the bytes end too early, nest too deeply, announce more elements than they hold or would
// take too much memory.
nlohmann::json parse_ubjson(std::string_view bytes);
// The document of an XGBoost file, JSON or UBJSON; `source` names the file in errors.
nlohmann::json xgboost_document(std::string_view bytes, const std::string& source);

}  // namespace scfe
