#include "support/json.h"

#include <gtest/gtest.h>

#include "scfe/memory.h"
#include "tests/data/scratch.h"

namespace scfe::test {
namespace {

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

std::string failure(std::string_view text) {
  return error_of([&] { (void)parse_json(text, "f.json"); });
}

TEST(Json, NestingHasALimit) {
  EXPECT_EQ(failure(nested(64)), "");
  EXPECT_EQ(failure(nested(65)),
            "f.json: line 1, column 65: expected at most 64 lists and objects within each other, got more");
  EXPECT_NE(failure(std::string(100'000, '[')), "");
  EXPECT_NE(failure("{\"a\":" + nested(200'000) + "}"), "");
  // Brackets within texts are no lists.
  EXPECT_EQ(failure('"' + std::string(1000, '[') + '"'), "");
  EXPECT_EQ(failure(R"(["\"[[[[", "\\", 1])"), "");
}

TEST(Json, EveryErrorHasFileAndPlace) {
  for (const std::string text : {"", "{", "[1,]", "{\"x\":1e999}", "{\"x\":-1e999}", "nul", "\"\\ud800\"",
                                 "\"\xff\"", "[1] 2", "{\"a\" 1}", "'a'", "01", "\"\x01\"", "[1", "\"open"}) {
    const std::string said = failure(text);
    EXPECT_TRUE(said.starts_with("f.json: line 1, column ")) << text << ": " << said;
    EXPECT_NE(said.find("expected a JSON document, got "), std::string::npos) << said;
    EXPECT_EQ(said.find("exception"), std::string::npos) << said;
  }
  EXPECT_EQ(failure("{\n\"x\": 1e999}"), "f.json: line 2, column 10: expected a JSON document, got '1e999'");
}

TEST(Json, MemoryIsAskedForBeforehand) {
  std::string text = "[";
  for (int i = 0; i < 10'000; ++i) text += "[],";
  text += "0]";
  EXPECT_EQ(failure(text), "");
  set_memory_limit(100'000);
  EXPECT_NE(failure(text).find("--memory-limit"), std::string::npos);
  set_memory_limit(0);
}

TEST(Json, BriefIsShortHoweverDeepOrLong) {
  EXPECT_EQ(brief(parse_json(R"({"a": [1, 2.5, null], "b": "x"})", "")), R"({"a":[1,2.5,null],"b":"x"})");
  EXPECT_EQ(brief(parse_json("[]", "")), "[]");
  nlohmann::json deep = 1;
  for (int i = 0; i < 1000; ++i) deep = nlohmann::json::array({deep});
  EXPECT_LT(brief(deep).size(), 70U);
  EXPECT_LT(brief(std::string(1 << 20, 'x')).size(), 70U);
  EXPECT_LT(brief(std::vector<int>(100'000, 7)).size(), 70U);
  EXPECT_NO_THROW((void)brief("\xff\xfe"));  // UBJSON texts may be anything
}

}  // namespace
}  // namespace scfe::test
