// LightGBM's text model, as Booster.save_model writes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/model.h"

namespace scfe {

bool is_lightgbm(std::string_view bytes);
// Names of the inputs, if the file has them.
std::vector<std::string> lightgbm_inputs(std::string_view bytes);
// `source` names the file in errors.
std::shared_ptr<const Model> parse_lightgbm(std::string_view bytes, const std::string& source);

}  // namespace scfe
