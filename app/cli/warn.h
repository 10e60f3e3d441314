// Warnings on stderr. The program continues.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "scfe/line.h"

namespace scfe::app {

inline void warn(const std::vector<std::string>& lines) {
  constexpr std::size_t longest_line = 500;
  for (const std::string& line : lines)
    std::fprintf(stderr, "scfe: warning: %s\n", scfe::one_line(line, longest_line).c_str());
}

}  // namespace scfe::app
