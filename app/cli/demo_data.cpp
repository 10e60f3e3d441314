#include "cli/demo_data.h"

#include <array>
#include <filesystem>
#include <vector>

#include "scfe/text.h"

namespace scfe::app {
namespace {

constexpr std::array demos = {
    Demo{"german_credit", "What would have got this applicant approved?", "Applicant", "applicants", 1, 3},
    Demo{"wine", "What would make this wine pass for cultivar 2?", "Wine", "wines", 1, 3},
    Demo{"housing", "What would put the homes of this tract above the median value?", "Tract", "tracts", 1,
         3},
    Demo{"wdbc", "Which measurements keep this tumour from being called benign?", "Tumour", "tumours", 0, 8},
};

// Next to the installed program; empty in the source tree.
std::string installed_data() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share" / "scfe";
  return !error && std::filesystem::exists(installed / "models") ? installed.string() : "";
}

}  // namespace

std::string data_folder(const Arguments& arguments) {
  if (arguments.has("data-dir")) return arguments.text("data-dir");
  const std::string installed = installed_data();
  return installed.empty() ? SCFE_DATA_DIR : installed;
}

std::string program_name() { return installed_data().empty() ? "build/scfe" : "scfe"; }

Split split(const Table& all) {
  Split parts;
  for (Table* table : {&parts.training, &parts.held_out}) {
    table->source = all.source;
    table->columns = all.columns;
  }
  for (std::size_t row = 0; row < all.rows(); ++row)
    for (std::size_t column = 0; column < all.columns.size(); ++column)
      (row % held_out_every == 0 ? parts.held_out : parts.training).add(all.cell(row, column));
  return parts;
}

const Demo& demo_of(const std::string& name) {
  if (name.empty()) return demos.front();
  std::vector<std::string> known;
  for (const Demo& demo : demos) {
    if (demo.name == name) return demo;
    known.emplace_back(demo.name);
  }
  throw unknown_name("", "demo", name, known);
}

}  // namespace scfe::app
