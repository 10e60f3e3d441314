// Hints that a button can apply: which limit to lift, and the question to ask instead.
#pragma once

#include <string>
#include <vector>

#include "server/models.h"

namespace scfe::server {

std::vector<std::string> hints_json(const Prepared& prepared, const Explanation& explanation,
                                    const Json& row);

}  // namespace scfe::server
