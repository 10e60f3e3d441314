// XGBoost's own model files: JSON and UBJSON, as Booster.save_model writes them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/model.h"

namespace scfe {

bool is_xgboost_json(std::string_view bytes);
bool is_xgboost_ubjson(std::string_view bytes);
// Names of the inputs, if the file has them.
std::vector<std::string> xgboost_inputs(std::string_view bytes);
// `source` names the file in errors.
std::shared_ptr<const Model> parse_xgboost(std::string_view bytes, const std::string& source);

}  // namespace scfe
