#include <filesystem>
#include <system_error>

#include "cli/verb.h"
#include "scfe/error.h"

namespace scfe::cli {

const std::string& Arguments::text(std::string_view name) const {
  const auto found = flags.find(name);
  if (found == flags.end()) throw Error("--" + std::string(name), "to be given", "nothing");
  return found->second.back();
}

std::string Arguments::text_or(std::string_view name, const std::string& otherwise) const {
  return has(name) ? text(name) : otherwise;
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto found = flags.find(name);
  return found == flags.end() ? std::vector<std::string>{} : found->second;
}

void require_files(const Arguments& arguments, std::size_t count, const std::string& expected) {
  if (arguments.files.size() == count) return;
  std::string got;
  for (const std::string& file : arguments.files) got += (got.empty() ? "'" : ", '") + file + "'";
  throw Error("files", expected, got.empty() ? "none" : got);
}

void protect_inputs(const Arguments& arguments) {
  std::vector<std::string> inputs = arguments.files;
  for (const char* flag : {"model", "data", "schema"})
    for (const std::string& path : arguments.all(flag)) inputs.push_back(path);
  for (const std::string& output : arguments.all("output"))
    for (const std::string& input : inputs) {
      std::error_code none_there;
      if (output == input || std::filesystem::equivalent(output, input, none_there))
        throw Error("--output", "a file that is not read", "'" + output + "'");
    }
}

}  // namespace scfe::cli
