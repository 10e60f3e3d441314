// Lines on stderr for people: nothing fails because of them.
#pragma once

#include <string>
#include <vector>

namespace scfe::cli {

void warn(const std::vector<std::string>& lines);

}  // namespace scfe::cli
