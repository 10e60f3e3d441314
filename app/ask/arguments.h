// What is asked, as names and texts: the flags and files of the command line, or the fields of a request.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scfe/options.h"

namespace scfe::app {

// Takes warnings, a sentence each, for people. The work goes on.
using Warn = std::function<void(const std::vector<std::string>& lines)>;

// The parsed command line: files in order, flags by name. A switch has the value "true".
class Arguments {
 public:
  std::vector<std::string> files;
  std::map<std::string, std::vector<std::string>, std::less<>> flags;

  Warn warn = [](const std::vector<std::string>&) {};  // who hears warnings; nobody unless it is set

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
                                  methods = name_of(OptionGroup::methods), server = "The server",
                                  guards = "Limits of requests";
}

struct Flag {
  std::string_view name;   // "model"; a short form follows a comma: "output,o"
  std::string_view value;  // its value in --help: "FILE"; empty: a switch
  std::string_view help;
  std::string_view group;
  bool repeats = false;
  bool written = false;  // its value is a file that is written
};

// Throws Error unless there are exactly `count` files.
void require_files(const Arguments& arguments, std::size_t count, const std::string& expected);

}  // namespace scfe::app
