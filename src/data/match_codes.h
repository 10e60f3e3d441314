// Categories that the model takes as one input (text or a code), not one-hot: which code a level has.
//
//     the model file lists levels   a code is the place in that list; an unknown level is an error
//     it does not                   a code is the place in the schema's `levels`; a note says so
#pragma once

#include <string>
#include <vector>

#include "data/match_model.h"

namespace scfe {

void take_codes(Schema& schema, ModelNames names, std::vector<std::string>& notes);

}  // namespace scfe
