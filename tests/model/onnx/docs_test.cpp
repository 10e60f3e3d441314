// docs/onnx.md must list exactly the operators of the catalogue.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/ops/catalogue.h"

namespace scfe {
namespace {

TEST(OnnxDocs, table_is_the_catalogue) {
  const auto path = std::filesystem::path(SCFE_SOURCE_DIR) / "docs" / "onnx.md";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  std::string table;
  for (const auto& row : onnx::operator_catalogue())
    table += "| " + (row.domain.empty() ? "" : std::string(row.domain) + ".") + std::string(row.name) +
             " | " + std::string(onnx::name_of(row.state)) + " | " + std::string(row.note) + " |\n";
  EXPECT_NE(text.str().find("| --- | --- | --- |\n" + table + "\n"), std::string::npos)
      << "the table in docs/onnx.md should be\n"
      << table;
}

}  // namespace
}  // namespace scfe
