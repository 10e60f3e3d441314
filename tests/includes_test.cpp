// The arrows of ARCHITECTURE.md: which folder of src may include which.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// "." is src itself: the equation and what stands around it.
const std::map<std::string, std::set<std::string>> may_include = {
    {"support", {}},
    {"kernel", {}},
    {"sparsity", {"kernel", "support"}},
    {"proximity", {"kernel", "support"}},
    {"validity", {"support"}},
    {"plausibility", {"kernel", "support"}},
    {"metrics", {"plausibility/near_index.h", "plausibility/nearest.h", "support"}},
    {"actionability", {"kernel", "support"}},
    {"model", {"kernel", "support"}},
    {"solver",
     {"actionability", "kernel", "model/ensemble.h", "sparsity", "support", "objective.h", "terms.h"}},
    {"method",
     {"actionability", "model/ensemble.h", "objective.h", "plausibility", "proximity", "solve.h", "solver",
      "sparsity", "support", "terms.h", "validity"}},
    {"data", {"support", "plausibility", "model", "data"}},
    {".",
     {"actionability",
      "desk.h",
      "dust.h",
      "explain.h",
      "explainer_state.h",
      "far_rows.h",
      "hint_text.h",
      "hints.h",
      "method",
      "path.h",
      "objective.h",
      "pertinent.h",
      "plausibility",
      "proximity",
      "relaxed.h",
      "robust.h",
      "robust_bounds.h",
      "rows.h",
      "score_one.h",
      "kernel",
      "model/activation.h",
      "model/coded_network.h",
      "model/ensemble.h",
      "model/stepped.h",
      "run_many.h",
      "run_search.h",
      "solve.h",
      "solver",
      "sparsity",
      "support",
      "terms.h",
      "validity",
      "wished.h",
      "without_floor.h"}},
};

TEST(Includes, arrows_point_one_way) {
  const fs::path root = fs::path(SCFE_SOURCE_DIR) / "src";
  const std::string include = "#include \"";
  int checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file()) continue;
    const fs::path relative = fs::relative(entry.path(), root);
    const std::string folder = relative.has_parent_path() ? relative.begin()->string() : ".";
    ASSERT_TRUE(may_include.contains(folder)) << folder << " has no row in this test";
    const std::set<std::string>& allowed = may_include.at(folder);
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(include)) continue;
      const std::string target = line.substr(include.size(), line.find('"', include.size()) - include.size());
      const std::string first = target.substr(0, target.find('/'));
      if (first == "scfe" || first == folder) continue;
      ++checked;
      EXPECT_TRUE(allowed.contains(target) || allowed.contains(first))
          << relative.string() << " includes " << target;
    }
  }
  EXPECT_GT(checked, 20);
}

}  // namespace
