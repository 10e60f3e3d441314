#include "scfe/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "scfe/error.h"

namespace scfe {
namespace {

std::string error_of(std::string_view name, const std::string& text) {
  try {
    Options options;
    set_option(options, name, text);
    check_options(options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string number_text(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// Values that the row's type and bounds allow, including the bounds.
std::vector<std::string> allowed(const OptionRow& row) {
  const OptionBounds& b = row.bounds;
  switch (row.type) {
    case OptionType::flag:
      return {"true", "false"};
    case OptionType::choice: {
      const auto names = row.choices();
      return {names.begin(), names.end()};
    }
    case OptionType::target:
      return {"other", "any", "0", "7"};
    case OptionType::range:
      return {"", "1:2", ":30", "21.5:"};
    case OptionType::numbers:
      return {"", "1", "3,17"};
    default:
      break;
  }
  std::vector<std::string> texts = {row.default_text()};
  if (b.or_zero) texts.emplace_back("0");
  if (b.ends != OptionBounds::Ends::above_least) texts.push_back(number_text(b.least));
  if (std::isfinite(b.greatest) && b.ends != OptionBounds::Ends::below_greatest)
    texts.push_back(number_text(b.greatest));
  return texts;
}

std::vector<std::string> refused(const OptionRow& row) {
  const OptionBounds& b = row.bounds;
  switch (row.type) {
    case OptionType::flag:
      return {"yes", "1", ""};
    case OptionType::choice:
      return {"no-such", "", std::string(row.choices()[0]) + "x"};
    case OptionType::target:
      return {"-1", "x", "1.5", "", "99999999999999999999", "4294967295"};
    case OptionType::range:
      return {"1", "2:1", "a:b"};
    case OptionType::numbers:
      return {"0", "1,", ",1", "1;2", "x", "-1"};
    case OptionType::whole:
      break;
    default: {
      std::vector<std::string> texts = {"x", "", "0.1x", "nan", "inf", number_text(b.least - 0.25)};
      if (b.ends == OptionBounds::Ends::above_least) texts.push_back(number_text(b.least));
      if (b.ends == OptionBounds::Ends::below_greatest) texts.push_back(number_text(b.greatest));
      if (std::isfinite(b.greatest)) texts.push_back(number_text(b.greatest + 0.25));
      return texts;
    }
  }
  std::vector<std::string> texts = {"two", "", "1.5", "99999999999999999999", number_text(b.least - 1)};
  if (std::isfinite(b.greatest)) texts.push_back(number_text(b.greatest + 1));
  return texts;
}

TEST(Options, every_row_is_complete) {
  std::set<std::string_view> names;
  for (const OptionRow& row : option_catalogue()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.help.empty() || row.expected().empty()) << row.name;
    EXPECT_EQ(row.choices().empty(), row.type != OptionType::choice) << row.name;
    EXPECT_NE(name_of(row.group), "unknown") << row.name;
    const std::string_view expected = std::visit(
        []<class Value>(Value Options::*) -> std::string_view {
          if (std::is_same_v<Value, bool>) return "boolean";
          if (std::is_same_v<Value, double>) return "number";
          return std::is_integral_v<Value> ? "integer" : "string";
        },
        row.member);
    EXPECT_EQ(row.json_type(), expected) << row.name;
    EXPECT_EQ(error_of(row.name, row.default_text()), "") << row.name;
  }
  EXPECT_GT(names.size(), 40U);
  check_options({});
}

TEST(Options, every_row_reads_what_it_writes) {
  std::size_t values = 0;
  for (const OptionRow& row : option_catalogue())
    for (const std::string& text : allowed(row)) {
      EXPECT_EQ(error_of(row.name, text), "") << row.name;
      Options options;
      set_option(options, row.name, text);
      EXPECT_EQ(option_text(options, row), text) << row.name;
      ++values;
    }
  EXPECT_GT(values, 100U);
}

TEST(Options, every_row_refuses_what_it_cannot_take) {
  std::size_t values = 0;
  for (const OptionRow& row : option_catalogue())
    for (const std::string& text : refused(row)) {
      const std::string error = error_of(row.name, text);
      EXPECT_TRUE(error.starts_with(std::string(row.name) + ": "))
          << row.name << " '" << text << "' " << error;
      EXPECT_NE(error.find(text), std::string::npos) << error;
      if (row.type == OptionType::choice)
        EXPECT_NE(error.find(row.choices()[0]), std::string::npos) << error;
      else if (row.type != OptionType::range)
        EXPECT_NE(error.find(row.expected()), std::string::npos) << error;
      ++values;
    }
  EXPECT_GT(values, 150U);
}

TEST(Options, expected_values_read_as_english) {
  const auto expected = [](std::string_view name) {
    for (const OptionRow& row : option_catalogue())
      if (row.name == name) return row.expected();
    return std::string();
  };
  EXPECT_EQ(expected("solver"), "auto, search, apg or exact");
  EXPECT_EQ(expected("tune"), "true or false");
  EXPECT_EQ(expected("beam"), "a whole number >= 1");
  EXPECT_EQ(expected("step"), "a number > 0");
  EXPECT_EQ(expected("robust"), "a number from 0 to below 1");
  EXPECT_EQ(expected("probability"), "0, or a number from 0.5 to below 1");
  EXPECT_EQ(expected("answers"), "a whole number from 1 to 1000");
  EXPECT_EQ(expected("time-limit"), "seconds >= 0");
  EXPECT_EQ(error_of("max-changes", "two"),
            "max-changes: expected a whole number from 1 to the number of features, got 'two'");
  EXPECT_EQ(error_of("density", "kdee"), "density: unknown value 'kdee': did you mean 'kde'?");
  Options options;
  EXPECT_THROW(set_option(options, "no-such", "1"), Error);
}

TEST(Options, some_exclude_each_other) {
  Options options;
  options.path = true;
  options.answers = 2;
  EXPECT_THROW(check_options(options), Error);
  options = {};
  options.reach = "1:2";
  check_options(options);
  options.probability = 0.9;
  EXPECT_THROW(check_options(options), Error);
}

TEST(Options, the_documented_table_is_the_table) {
  std::ifstream file(SCFE_SOURCE_DIR "/docs/options.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str().ends_with(options_markdown())) << "docs/options.md should end with:\n"
                                                        << options_markdown();
}

TEST(Target, is_a_class_the_other_one_or_any) {
  EXPECT_EQ(Options{}.target, Target::other());
  EXPECT_EQ(Target::of(3), 3);
  EXPECT_EQ(Target::of(3).number(), 3);
  EXPECT_TRUE(Target::of(0).is_class());
  EXPECT_FALSE(Target::other().is_class() || Target::any().is_class());
  EXPECT_NE(Target::other(), Target::any());
}

}  // namespace
}  // namespace scfe
