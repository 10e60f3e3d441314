// One line of a comparison: a name and the flags of `scfe explain` that it stands for,
//
//     paper, tau 10: --solver apg --tau 10 --range "income=0:5000"
//
// Without a name the flags are the name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ask/arguments.h"

namespace scfe::app {

struct RunLine {
  std::string name;
  Arguments arguments;  // flags alone
};
// `flags` may be given beside the options of the catalogue. Throws Error, naming the line, if it has others.
RunLine parse_run(const std::string& line, std::span<const Flag> flags);
// The lines of a file, without empty ones and those that begin with #.
std::vector<RunLine> read_runs(const std::string& path, std::span<const Flag> flags);

// The word as a shell reads it, in quotes if it needs them.
std::string shell_word(const std::string& word);

}  // namespace scfe::app
