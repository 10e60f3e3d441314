// scfe VERB ...: one clear line on stderr and exit status 2 whatever goes wrong.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "cli/verb.h"

namespace {

int complain(std::string what) {
  for (char& c : what)
    if (c == '\n' || c == '\r') c = ' ';
  std::fprintf(stderr, "scfe: %s\n", what.c_str());
  return scfe::cli::failed;
}

}  // namespace

int main(int count, char** words) {
  using namespace scfe::cli;
  try {
    const std::array verbs = {demo_verb(),  fit_verb(),  explain_verb(), evaluate_verb(), verify_verb(),
                              audit_verb(), keep_verb(), schema_verb(),  inspect_verb(),  images_verb()};
    const Parsed parsed = parse(count, words, verbs);
    if (parsed.verb != nullptr) protect_inputs(parsed.arguments);
    const int status = parsed.verb != nullptr ? parsed.verb->run(parsed.arguments) : parsed.status;
    std::cout.flush();  // CLI11 prints --help by it
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return complain("stdout: expected room to write, got " + std::string(std::strerror(errno)));
    return status;
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}
