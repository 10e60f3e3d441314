// A verb of the command line: what it takes, and what it does. One file a verb (verb_*.cpp), one row each in
// the catalogue of main.cpp. How words become Arguments is parse.cpp's business alone.
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

// What was given: files in order, flags by name. A switch has the value "true".
class Arguments {
 public:
  std::vector<std::string> files;
  std::map<std::string, std::vector<std::string>, std::less<>> flags;

  bool has(std::string_view name) const { return flags.find(name) != flags.end(); }
  // The last value given; Error naming the flag if there is none.
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
  std::string_view value;  // what comes behind it, for --help: "FILE"; empty: a switch
  std::string_view help;
  std::string_view group;
  bool repeats = false;
};

struct Verb {
  std::string_view name;
  std::string_view files;  // for --help: "E.scfe rows.csv"; empty: takes none
  std::string_view help;
  std::vector<Flag> flags;
  bool options = false;  // takes every option of the catalogue (scfe/options.h) as a flag
  int (*run)(const Arguments& arguments) = nullptr;
  std::string_view note = {};  // for --help, behind the usage
  bool fits = false;           // --help shows only the options that matter when fitting
};

struct Parsed {
  const Verb* verb = nullptr;  // null: all is said (--help, --version), leave with `status`
  Arguments arguments;
  int status = 0;
};
// Throws Error on words that make no sense.
Parsed parse(int count, const char* const* words, std::span<const Verb> verbs);

// The files a verb needs; Error saying so if there are more or fewer.
void require_files(const Arguments& arguments, std::size_t count, const std::string& expected);
// Error where an output is one of the files that are read.
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
