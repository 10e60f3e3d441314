#include "scfe/options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "scfe/error.h"

namespace scfe {
namespace {

TEST(Options, every_row_can_be_written_and_read_back) {
  for (const OptionRow& row : option_catalogue()) {
    Options options;
    const std::string text = option_text(options, row);
    set_option(options, row.name, text);
    EXPECT_EQ(option_text(options, row), text) << row.name;
    EXPECT_FALSE(row.help.empty() || row.expected.empty()) << row.name;
  }
  check_options({});
}

TEST(Options, bad_values_name_the_option) {
  Options options;
  EXPECT_THROW(set_option(options, "no-such", "1"), Error);
  try {
    set_option(options, "max-changes", "two");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "max-changes: expected a whole number from 1 to the number of features, got 'two'");
  }
  EXPECT_THROW(set_option(options, "plausible", "0.1x"), Error);
  EXPECT_THROW(set_option(options, "tune", "yes"), Error);
}

TEST(Options, the_documented_table_is_the_table) {
  std::ifstream file(SCFE_SOURCE_DIR "/docs/options.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(options_markdown()), std::string::npos) << "docs/options.md should hold:\n"
                                                                    << options_markdown();
}

}  // namespace
}  // namespace scfe
