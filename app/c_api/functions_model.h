// A model whose scores and gradients are functions of the caller, called for a whole block of points at once.
#pragma once

#include <memory>

#include "scfe/c_api.h"
#include "scfe/model.h"

namespace scfe::app {

// Throws Error if the functions are not complete.
std::shared_ptr<const Model> functions_model(const scfe_functions& functions);

}  // namespace scfe::app
