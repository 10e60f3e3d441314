// A verb of the command line: its flags and files, and what it does. Each verb is one file (verb_*.cpp) and
// one row of the catalogue in main.cpp. parse.cpp turns the command line into Arguments.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/options.h"

namespace scfe::cli {

// Exit status of the program.
inline constexpr int every_row_answered = 0, some_rows_without = 1, failed = 2;

// The parsed command line: files in order, flags by name. A switch has the value "true".
class Arguments {
 public:
  std::vector<std::string> files;
  std::map<std::string, std::vector<std::string>, std::less<>> flags;

  bool has(std::string_view name) const { return flags.find(name) != flags.end(); }
  // The last value of a flag. Throws Error, naming the flag, if it was not given.
  const std::string& text(std::string_view name) const;
  std::string text_or(std::string_view name, const std::string& otherwise) const;
  // All values of a flag that may be repeated.
  std::vector<std::string> all(std::string_view name) const;
};

// Headings of --help; options have more of them (OptionGroup).
namespace group {
inline constexpr std::string_view asked = name_of(OptionGroup::question), limits = "Limits of this question",
                                  output = "Output", fit = "A model and its training rows",
                                  methods = name_of(OptionGroup::methods);
}

struct Flag {
  std::string_view name;   // "model"; a short form follows a comma: "output,o"
  std::string_view value;  // its value in --help: "FILE"; empty: a switch
  std::string_view help;
  std::string_view group;
  bool repeats = false;
};

struct Verb {
  std::string_view name;
  std::string_view files;  // for --help: "E.scfe rows.csv"; empty: takes no files
  std::string_view help;
  std::vector<Flag> flags;
  bool options = false;  // takes every option of the catalogue (scfe/options.h) as a flag
  int (*run)(const Arguments& arguments) = nullptr;
  std::string_view note = {};  // for --help, after the usage
  bool fits = false;           // --help shows only the options that matter when fitting
};

struct Parsed {
  const Verb* verb = nullptr;  // null: done (--help, --version), exit with `status`
  Arguments arguments;
  int status = 0;
};
// Throws Error if the command line is not valid.
Parsed parse(int count, const char* const* words, std::span<const Verb> verbs);

// Throws Error unless there are exactly `count` files.
void require_files(const Arguments& arguments, std::size_t count, const std::string& expected);
// Throws Error if an output file is also an input file.
void protect_inputs(const Arguments& arguments);

Verb demo_verb();
Verb fit_verb();
Verb explain_verb();
Verb evaluate_verb();
Verb verify_verb();
Verb schema_verb();
Verb inspect_verb();
Verb audit_verb();
Verb keep_verb();
Verb images_verb();

}  // namespace scfe::cli
