// The built-in data: questions that a demo asks of them, and rows held out from fitting.
#pragma once

#include <string>
#include <string_view>

#include "ask/arguments.h"
#include "scfe/table.h"

namespace scfe::app {

struct Demo {
  std::string_view name;
  std::string_view question;
  std::string_view one, many;  // what a row is called
  int target;
  int max_changes;
};
// The first one if the name is empty. Throws Error, naming the known ones.
const Demo& demo_of(const std::string& name);

// --data-dir, or the data folder next to the installed program, or that in the source tree.
std::string data_folder(const Arguments& arguments);

// How people call the program: as installed, or in the source tree.
std::string program_name();

inline constexpr std::size_t held_out_every = 10;
struct Split {
  Table training, held_out;
};
// Every tenth row is held out.
Split split(const Table& all);

}  // namespace scfe::app
