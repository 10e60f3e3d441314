// scfe VERB ...: every error is one line on stderr and exit status 2.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>

#include "cli/verb.h"
#include "scfe/options.h"

namespace {

// Rewrites an option's name in an error of the library, "probability: expected ...", as the flag.
std::string as_flag(const std::string& what, const std::optional<scfe::cli::Verb>& verb) {
  using namespace scfe::cli;
  const auto is_about = [&](std::string_view name) { return what.starts_with(std::string(name) + ": "); };
  const auto is_wish = [&](const Flag& flag) {
    return (flag.group == group::asked || flag.group == group::methods) && is_about(flag.name);
  };
  const auto is_option = [&](const scfe::OptionRow& row) { return is_about(row.name); };
  const bool named = verb && (std::ranges::any_of(verb->flags, is_wish) ||
                              std::ranges::any_of(scfe::option_catalogue(), is_option));
  return named ? "--" + what : what;
}

int complain(std::string what) {
  for (char& c : what)
    if (c == '\n' || c == '\r') c = ' ';
  std::fprintf(stderr, "scfe: %s\n", what.c_str());
  return scfe::cli::failed;
}

}  // namespace

int main(int count, char** words) {
  using namespace scfe::cli;
  std::optional<Verb> verb;
  try {
    const std::array verbs = {demo_verb(),  fit_verb(),  explain_verb(), evaluate_verb(), verify_verb(),
                              audit_verb(), keep_verb(), schema_verb(),  inspect_verb(),  images_verb()};
    const Parsed parsed = parse(count, words, verbs);
    if (parsed.verb != nullptr) {
      verb = *parsed.verb;
      protect_inputs(parsed.arguments);
    }
    const int status = verb ? verb->run(parsed.arguments) : parsed.status;
    std::cout.flush();  // CLI11 prints --help to it
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return complain("stdout: expected room to write, got " + std::string(std::strerror(errno)));
    return status;
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(as_flag(error.what(), verb));
  }
}
