#include "model/read_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/model/evaluate.h"
#include "tests/model/expect_error.h"

namespace scfe::test {
namespace {

const std::string head = R"({"format": "scfe-dense", "version": 1, )";

std::string document(const std::string& layers, const std::string& more = "") {
  return head + R"("layers": [)" + layers + "]" + more + "}";
}

const std::string hidden = R"({"weight": [[1, -2], [0.5, 3]], "bias": [0, 1], "activation": "relu"})";
const std::string output = R"({"weight": [[2, 1]], "bias": [-1], "activation": "sigmoid"})";

TEST(ReadModelJson, reads_a_network) {
  const auto model = parse_model_json(document(hidden + ',' + output), "text");
  EXPECT_EQ(model->features(), 2U);
  EXPECT_EQ(model->scores(), 1U);
  const Evaluated got = evaluate(*model, {{4, 1}, {-4, 1}}, {{1}, {1}});
  EXPECT_EQ(got.scores[0][0], 2 * 2 + 6 - 1);
  EXPECT_EQ(got.scores[1][0], 0 + 2 - 1);
  EXPECT_EQ(got.gradient[0], (std::vector<double>{2.5, -1}));
}

TEST(ReadModelJson, activation_and_classes_are_optional) {
  const auto model = parse_model_json(document(R"({"weight": [[1], [2], [3]], "bias": [0, 0, 0]})"), "text");
  EXPECT_EQ(model->classes(), 3U);
  EXPECT_NO_THROW(parse_model_json(document(hidden + ',' + output, R"(, "classes": ["no", "yes"])"), "text"));
}

TEST(ReadModelJson, reads_from_a_file) {
  const auto path = std::filesystem::temp_directory_path() / "scfe_read_model_json_test.json";
  std::ofstream(path) << document(hidden + ',' + output);
  EXPECT_EQ(read_model_json(path.string())->features(), 2U);
  std::ofstream(path) << document(hidden + ',' + hidden + ',' + R"({"weight": [[1]], "bias": [0]})");
  expect_error([&] { read_model_json(path.string()); }, {path.string(), "layer 3", "2 columns", "got 1"});
  std::filesystem::remove(path);
  expect_error([&] { read_model_json(path.string()); }, {path.string(), "readable"});
}

TEST(ReadModelJson, a_folder_is_no_file) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  expect_error([&] { read_model_json(folder); }, {folder});
}

TEST(ReadModelJson, errors_name_source_and_layer) {
  struct Case {
    std::string text;
    std::vector<std::string> parts;
  };
  const Case cases[] = {
      {"{", {"JSON document"}},
      {"", {"JSON document"}},
      {"[1, 2]", {"document", "an object", "array"}},
      {R"({"version": 1, "layers": []})", {"member \"format\""}},
      {R"({"format": "other", "version": 1, "layers": []})", {"format", "scfe-dense", "other"}},
      {R"({"format": "scfe-dense", "version": 2, "layers": []})", {"version", "expected 1", "got 2"}},
      {head + R"("layers": {}})", {"layers", "an array", "object"}},
      {document(""), {"layers", "at least 1"}},
      {document("3"), {"layer 1", "an object"}},
      {document(hidden + R"(,{"bias": [1]})"), {"layer 2", "member \"weight\""}},
      {document(hidden + R"(,{"weight": [[1, 1]]})"), {"layer 2", "member \"bias\""}},
      {document(R"({"weight": [[1, 2], [3]], "bias": [0, 0]})"),
       {"layer 1 weight row 2", "2 numbers", "got 1"}},
      {document(R"({"weight": [[1, "x"]], "bias": [0]})"), {"layer 1 weight row 1[1]", "a number", "\"x\""}},
      {document(R"({"weight": [1, 2], "bias": [0]})"), {"layer 1 weight row 1", "an array"}},
      {document(R"({"weight": [[1, 2]], "bias": 0})"), {"layer 1 bias", "an array"}},
      {document(R"({"weight": [[1]], "bias": [0], "activation": 3})"), {"layer 1 activation", "a name"}},
      {document(R"({"weight": [[1]], "bias": [0], "activation": "x"})"), {"layer 1 activation", "relu"}},
      {document(R"({"weight": [[1e99]], "bias": [0]})"), {"layer 1 weight", "finite"}},
      {document(R"({"weight": [], "bias": []})"), {"layer 1 weight", "0 x 0"}},
      {document(hidden + ',' + output, R"(, "classes": ["a"])"), {"classes", "2 entries", "got 1"}},
      {document(hidden + ',' + output, R"(, "classes": "a")"), {"classes", "an array"}},
  };
  for (const Case& bad : cases) {
    const auto read = [&] { parse_model_json(bad.text, "network.json"); };
    expect_error(read, {"network.json"});
    for (const std::string& part : bad.parts) expect_error(read, {part});
  }
}

}  // namespace
}  // namespace scfe::test
