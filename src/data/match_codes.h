// Columns that are one input of the model each, though their cells are levels: text, or the code of a
// category.
//
//     the file knows the levels     their places in it are the codes; another level is an error
//     it does not                   places in the schema's `levels`, with a note that says so
#pragma once

#include <string>
#include <vector>

#include "data/match_model.h"

namespace scfe {

void take_codes(Schema& schema, ModelNames names, std::vector<std::string>& notes);

}  // namespace scfe
