// Warnings on stderr. The program continues.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace scfe::cli {

inline void warn(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "scfe: warning: %s\n", line.c_str());
}

}  // namespace scfe::cli
