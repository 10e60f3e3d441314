// Reads a dense network from JSON text in memory; read_model_json (scfe/model.h) reads it from a file.
#pragma once

#include <memory>
#include <string>

#include "scfe/model.h"

namespace scfe {

// `source` names the document in errors.
std::shared_ptr<const Model> parse_model_json(const std::string& text, const std::string& source);

}  // namespace scfe
