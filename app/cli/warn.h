// Warnings on stderr. The program continues.
#pragma once

#include <string>
#include <vector>

namespace scfe::cli {

void warn(const std::vector<std::string>& lines);

}  // namespace scfe::cli
