// The arrows of ARCHITECTURE.md: a folder of src includes only folders below it, and no file takes part in a
// cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// From the top to the bottom.
const std::vector<std::string> folders = {
    "data",       "explainer",     "answer",    "keep",    "stability", "method",       "plan",
    "solver",     "objective",     "query",     "metrics", "validity",  "plausibility", "sparsity",
    "dependency", "actionability", "proximity", "model",   "kernel",    "support"};

using Includes = std::map<std::string, std::vector<std::string>>;  // of each file, relative to src

Includes read_includes() {
  const fs::path root = fs::path(SCFE_SOURCE_DIR) / "src";
  const std::string include = "#include \"";
  Includes includes;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    std::vector<std::string>& list = includes[fs::relative(entry.path(), root).string()];
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(include))
        list.push_back(line.substr(include.size(), line.find('"', include.size()) - include.size()));
  }
  return includes;
}

std::ptrdiff_t level(const std::string& file) {
  const auto place = std::ranges::find(folders, file.substr(0, file.find('/')));
  return place == folders.end() ? -1 : place - folders.begin();
}

TEST(Includes, arrows_point_downwards) {
  int checked = 0;
  for (const auto& [file, list] : read_includes()) {
    ASSERT_NE(file.find('/'), std::string::npos) << file << " lies directly in src";
    ASSERT_GE(level(file), 0) << file << ": its folder has no place in this test";
    for (const std::string& target : list) {
      if (target.starts_with("scfe/")) continue;
      ++checked;
      EXPECT_GE(level(target), level(file)) << file << " includes " << target;
    }
  }
  EXPECT_GT(checked, 500);
}

class CycleFinder {
 public:
  explicit CycleFinder(const Includes& includes) : includes_(includes) {}

  void visit(const std::string& file) {
    if (done_[file]) return;
    path_.push_back(file);
    const auto own = includes_.find(file);
    if (own != includes_.end())
      for (const std::string& target : own->second) {
        const auto begin = std::ranges::find(path_, target);
        if (begin != path_.end())
          ADD_FAILURE() << "a cycle: " << file << " includes " << target;
        else
          visit(target);
      }
    path_.pop_back();
    done_[file] = true;
    ++visited;
  }
  int visited = 0;

 private:
  const Includes& includes_;
  std::vector<std::string> path_;
  std::map<std::string, bool> done_;
};

TEST(Includes, have_no_cycle) {
  const Includes includes = read_includes();
  CycleFinder finder(includes);
  for (const auto& [file, list] : includes) finder.visit(file);
  EXPECT_GT(finder.visited, 300);
}

}  // namespace
