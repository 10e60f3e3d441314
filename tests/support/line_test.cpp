#include "scfe/line.h"

#include <gtest/gtest.h>

#include "tests/helper/uniform.h"

namespace scfe::test {
namespace {

TEST(Line, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(one_line("plain text, 'ü' and \xE2\x82\xAC", 300), "plain text, 'ü' and \xE2\x82\xAC");
  EXPECT_EQ(one_line("a\nb\r\tc", 300), "a b  c");
  EXPECT_EQ(one_line("\x1b[31m\x07\x7f", 300), "\\x1B[31m\\x07\\x7F");
  EXPECT_EQ(one_line("J\xfc, \xc2\x9b, \xf5", 300), "J\\xFC, \\xC2\\x9B, \\xF5");
  EXPECT_EQ(one_line(std::string_view("\0", 1), 300), "\\x00");
  // No UTF-8 either: longer than needed, half of a pair, beyond the last character.
  EXPECT_EQ(one_line("\xE0\x80\x80", 300), "\\xE0\\x80\\x80");
  EXPECT_EQ(one_line("\xED\xA0\x80", 300), "\\xED\\xA0\\x80");
  EXPECT_EQ(one_line("\xF4\x90\x80\x80", 300), "\\xF4\\x90\\x80\\x80");
}

TEST(Line, KeepsBeginningAndEndOfWhatIsTooLong) {
  const std::string line =
      one_line("rows.csv: expected a number, got '" + std::string(10'000'000, 'x') + "' at last", 300);
  EXPECT_LE(line.size(), 300U);
  EXPECT_TRUE(line.starts_with("rows.csv: expected a number, got 'xxx"));
  EXPECT_TRUE(line.ends_with("xxx' at last"));
  EXPECT_NE(line.find(" ... "), std::string::npos);
}

// Any bytes become printable UTF-8 within the limit, and printing that again changes nothing.
TEST(Line, IsPrintableForAnyBytes) {
  Uniform random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string bytes(static_cast<std::size_t>(random.integer(0, 500)), '\0');
    for (char& c : bytes) c = static_cast<char>(random.integer(0, 255));
    const std::string line = one_line(bytes, 120);
    EXPECT_LE(line.size(), 120U);
    EXPECT_EQ(one_line(line, 120), line);
  }
}

}  // namespace
}  // namespace scfe::test
