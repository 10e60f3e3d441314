// A verb of the command line: its flags and files, and what it does. Each verb is one file (verb_*.cpp) and
// one row of the catalogue in main.cpp. parse.cpp turns the command line into Arguments.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ask/arguments.h"

namespace scfe::app {

// Exit status of the program.
inline constexpr int every_row_answered = 0, some_rows_without = 1, failed = 2;

struct Verb {
  std::string_view name;
  std::string_view files;  // for --help: "E.scfe rows.csv"; empty: takes no files
  std::string_view help;
  std::vector<Flag> flags;
  bool options = false;  // takes every option of the catalogue (scfe/options.h) as a flag
  int (*run)(const Arguments& arguments) = nullptr;
  std::string_view note = {};  // for --help, after the usage
  bool fits = false;           // --help shows only the options that matter when fitting
  // If not empty, --help shows only these options: the verb takes the others and makes no use of them.
  std::vector<std::string_view> only = {};
};

struct Parsed {
  const Verb* verb = nullptr;  // null: done (--help, --version), exit with `status`
  Arguments arguments;
  int status = 0;
};
// Throws Error if the command line is not valid.
Parsed parse(int count, const char* const* words, std::span<const Verb> verbs);

Verb demo_verb();
Verb fit_verb();
Verb explain_verb();
Verb evaluate_verb();
Verb compare_verb();
Verb verify_verb();
Verb schema_verb();
Verb inspect_verb();
Verb audit_verb();
Verb keep_verb();
Verb images_verb();
Verb serve_verb();

}  // namespace scfe::app
