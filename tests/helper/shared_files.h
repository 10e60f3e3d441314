// The folders of reference values and fixtures.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace scfe::test {

inline std::filesystem::path shared_dir() {
  if (const char* given = std::getenv("SCFE_SHARED")) return given;
  return std::filesystem::path(SCFE_SOURCE_DIR).parent_path() / "shared";
}

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(SCFE_SOURCE_DIR) / "tests" / "fixtures" / name;
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return nlohmann::json::parse(file);
}

}  // namespace scfe::test
