// Reference values that are not part of the repository: tests that want them are skipped, saying why,
// where they are absent.
#pragma once

#include <gtest/gtest.h>

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

#define SCFE_NEEDS_SHARED(relative)                                                                    \
  if (!std::filesystem::exists(scfe::test::shared_dir() / (relative)))                                 \
  GTEST_SKIP() << (scfe::test::shared_dir() / (relative)).string() << " is absent: reference values of " \
               << "the public implementation are not part of the repository"
