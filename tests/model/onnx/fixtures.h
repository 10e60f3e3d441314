// Access to the committed ONNX fixtures.
#pragma once

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scfe/onnx.h"
#include "tests/helper/shared.h"

namespace scfe::test {

struct NodeCase {
  std::string name, op;
  std::vector<std::byte> model;
  OnnxOptions options;
  std::vector<float> x;
  std::vector<float> y;
};

inline std::vector<std::byte> from_hex(const std::string& hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

inline std::vector<float> floats_from_hex(const std::string& hex) {
  const std::vector<std::byte> bytes = from_hex(hex);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  return values;
}

inline std::vector<nlohmann::json> json_lines(const std::string& name) {
  std::ifstream file(fixture(name));
  std::vector<nlohmann::json> lines;
  std::string line;
  while (std::getline(file, line)) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

inline std::vector<NodeCase> node_cases() {
  std::vector<NodeCase> cases;
  for (const std::string name : {"onnx/nodes.jsonl", "onnx/ml.jsonl"})
    for (const nlohmann::json& json : json_lines(name)) {
      NodeCase node{json["name"],
                    json["op"],
                    from_hex(json["model"]),
                    {},
                    floats_from_hex(json["x"]),
                    floats_from_hex(json["y"])};
      node.options.scores = json["output"];
      node.options.whole_shapes = true;
      cases.push_back(std::move(node));
    }
  return cases;
}

inline std::vector<std::string> exported_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(fixture("onnx")))
    if (entry.path().extension() == ".onnx") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::byte> bytes(std::filesystem::file_size(path));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

}  // namespace scfe::test
