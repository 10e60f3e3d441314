#include "ask/arguments.h"

#include "scfe/error.h"

namespace scfe::app {

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

}  // namespace scfe::app
