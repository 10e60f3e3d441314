// scfe VERB ...: every error is one line on stderr and exit status 2.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <string>

#include "cli/interrupt.h"
#include "cli/protect.h"
#include "cli/verb.h"
#include "cli/warn.h"
#include "scfe/error.h"
#include "scfe/instruction_set.h"
#include "scfe/line.h"
#include "scfe/memory.h"
#include "scfe/options.h"
#include "scfe/text.h"

namespace {

// Rewrites an option's name in an error of the library, "probability: expected ...", as the flag.
std::string as_flag(const std::string& what, const std::optional<scfe::app::Verb>& verb) {
  using namespace scfe::app;
  const auto is_about = [&](std::string_view name) { return what.starts_with(std::string(name) + ": "); };
  const auto is_wish = [&](const Flag& flag) {
    return (flag.group == group::asked || flag.group == group::methods) && is_about(flag.name);
  };
  const auto is_option = [&](const scfe::OptionRow& row) { return is_about(row.name); };
  const bool named = verb && (std::ranges::any_of(verb->flags, is_wish) ||
                              std::ranges::any_of(scfe::option_catalogue(), is_option));
  return named ? "--" + what : what;
}

// Every verb reads files, and may compute.
constexpr scfe::app::Flag memory_flag = {
    "memory-limit", "SIZE", "memory for reading one file, such as 4G [64M and 32 times its size, at most 1G]",
    name_of(scfe::OptionGroup::run)};

constexpr scfe::app::Flag instructions_flag = {
    "instructions", "NAME", "baseline: inner loops without AVX2, for comparisons; slower, same answers",
    name_of(scfe::OptionGroup::run)};

std::size_t bytes_of(const std::string& text) {
  constexpr double most = 1e15;
  const double unit = text.ends_with('G') ? 1 << 30 : text.ends_with('M') ? 1 << 20 : 1;
  const auto number = scfe::parse_number(unit > 1 ? text.substr(0, text.size() - 1) : text);
  if (!number || !(*number * unit >= 1 && *number * unit <= most))
    throw scfe::Error("--memory-limit", "a number of bytes, or such as 500M or 4G", "'" + text + "'");
  return static_cast<std::size_t>(*number * unit);
}

int complain(const std::string& what) {
  constexpr std::size_t longest_line = 300;
  std::fprintf(stderr, "%s\n", scfe::one_line("scfe: " + what, longest_line).c_str());
  return scfe::app::failed;
}

// A descriptor that is closed would be given to the next file that is opened: warnings would go into an
// output. /dev/null takes its place, for reading, so that what is written to it is an error and not lost.
void occupy_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) (void)::open("/dev/null", O_RDONLY);
}

}  // namespace

int main(int count, char** words) {
  using namespace scfe::app;
  occupy_standard_descriptors();
  (void)std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
  std::optional<Verb> verb;
  try {
    const Interrupts interrupts;
    std::array verbs = {demo_verb(),    fit_verb(),     explain_verb(), evaluate_verb(),
                        compare_verb(), verify_verb(),  audit_verb(),   keep_verb(),
                        schema_verb(),  inspect_verb(), images_verb(),  serve_verb()};
    for (Verb& each : verbs) each.flags.insert(each.flags.end(), {memory_flag, instructions_flag});
    Parsed parsed = parse(count, words, verbs);
    if (parsed.verb != nullptr) {
      verb = *parsed.verb;
      parsed.arguments.warn = warn;
      if (parsed.arguments.has("memory-limit"))
        scfe::set_memory_limit(bytes_of(parsed.arguments.text("memory-limit")));
      if (parsed.arguments.has("instructions"))
        scfe::use_instruction_set(parsed.arguments.text("instructions"));
      protect_files(*verb, parsed.arguments);
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
