#include "cli/protect.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <tuple>

#include "output/journal.h"
#include "scfe/error.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

// Device, inode and "", or for a file that does not exist yet those of its folder and its name.
using Identity = std::tuple<dev_t, ino_t, std::string>;

// None for devices and pipes, which may be read and written, and for files in folders that do not exist.
std::optional<Identity> identity_of(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0)
    return S_ISREG(found.st_mode) ? std::optional(Identity(found.st_dev, found.st_ino, "")) : std::nullopt;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::stat(folder.c_str(), &found) != 0) return std::nullopt;
  return Identity(found.st_dev, found.st_ino, path.filename().string());
}

struct Named {
  std::string flag, path;
  std::optional<Identity> file;
};

bool is_same(const Named& a, const Named& b) { return a.file && a.file == b.file; }

}  // namespace

void protect_files(const Verb& verb, const Arguments& arguments) {
  const auto is_written = [&](const std::string& name) {
    return std::ranges::any_of(verb.flags, [&](const Flag& flag) {
      return flag.written && flag.name.substr(0, flag.name.find(',')) == name;
    });
  };
  std::vector<Named> inputs, outputs;
  for (const std::string& path : arguments.files) inputs.push_back({"files", path, identity_of(path)});
  for (const auto& [name, values] : arguments.flags)
    for (const std::string& value : values) {
      const bool written = is_written(name);
      const std::string path = written ? output_target(value) : value;
      (written ? outputs : inputs).push_back({"--" + name, value, identity_of(path)});
    }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Named& output = outputs[i];
    const Named journal{output.flag, output.path, identity_of(journal_path(output.path))};
    for (const Named& input : inputs) {
      if (is_same(output, input))
        throw Error(output.flag, "a file that is not read", "'" + output.path + "'");
      if (is_same(journal, input))
        throw Error(output.flag, "a file whose rows may be kept in another than '" + input.path + "'",
                    "'" + output.path + "'");
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (k != i && (is_same(output, outputs[k]) || is_same(journal, outputs[k])))
        throw Error(outputs[k].flag, "each file once", "'" + outputs[k].path + "' twice");
    }
  }
}

}  // namespace scfe::app
