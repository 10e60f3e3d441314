// LightGBM's text model, as Booster.save_model writes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/read_inputs.h"
#include "scfe/model.h"

namespace scfe {

bool is_lightgbm(std::string_view bytes);
// What the file says about its inputs. Throws an Error if the categories are malformed.
BoosterInputs lightgbm_inputs(std::string_view bytes);
// `source` names the file in errors.
std::shared_ptr<const Model> parse_lightgbm(std::string_view bytes, const std::string& source);

}  // namespace scfe
