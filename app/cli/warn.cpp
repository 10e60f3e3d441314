#include "cli/warn.h"

#include <cstdio>

namespace scfe::cli {

void warn(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::fprintf(stderr, "scfe: warning: %s\n", line.c_str());
}

}  // namespace scfe::cli
