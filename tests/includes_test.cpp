// The arrows of ARCHITECTURE.md: a folder of src or app includes only folders below it, app besides them only
// public headers, and no file takes part in a cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Tree {
  std::string root;
  std::vector<std::string> folders;  // from the top to the bottom
  int least_includes, least_files;   // that must have been seen
};

const std::vector<Tree> trees = {
    {"src",
     {"data",       "explainer",     "answer",    "keep",    "stability", "method",       "plan",
      "solver",     "objective",     "query",     "metrics", "validity",  "plausibility", "sparsity",
      "dependency", "actionability", "proximity", "model",   "kernel",    "support"},
     500,
     300},
    {"app", {"cli", "server", "c_api", "report", "output", "ask", "text"}, 300, 150}};

using Includes = std::map<std::string, std::vector<std::string>>;  // of each file, relative to the root

Includes read_includes(const Tree& tree) {
  const fs::path root = fs::path(SCFE_SOURCE_DIR) / tree.root;
  const std::string include = "#include \"";
  Includes includes;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || (entry.path().extension() != ".cpp" && entry.path().extension() != ".h"))
      continue;
    const std::string name = fs::relative(entry.path(), root).string();
    if (name.starts_with("web/")) continue;  // of app: TypeScript, and what its build installs
    std::vector<std::string>& list = includes[name];
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(include))
        list.push_back(line.substr(include.size(), line.find('"', include.size()) - include.size()));
  }
  return includes;
}

std::ptrdiff_t level(const Tree& tree, const std::string& file) {
  const auto place = std::ranges::find(tree.folders, file.substr(0, file.find('/')));
  return place == tree.folders.end() ? -1 : place - tree.folders.begin();
}

TEST(Includes, arrows_point_downwards) {
  for (const Tree& tree : trees) {
    int checked = 0;
    for (const auto& [file, list] : read_includes(tree)) {
      ASSERT_NE(file.find('/'), std::string::npos) << file << " lies directly in " << tree.root;
      ASSERT_GE(level(tree, file), 0) << file << ": its folder has no place in this test";
      for (const std::string& target : list) {
        if (target.starts_with("scfe/")) continue;
        ++checked;
        EXPECT_GE(level(tree, target), level(tree, file)) << file << " includes " << target;
      }
    }
    EXPECT_GT(checked, tree.least_includes) << tree.root;
  }
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
  for (const Tree& tree : trees) {
    const Includes includes = read_includes(tree);
    CycleFinder finder(includes);
    for (const auto& [file, list] : includes) finder.visit(file);
    EXPECT_GT(finder.visited, tree.least_files) << tree.root;
  }
}

}  // namespace
