#include "support/json.h"

#include <algorithm>

#include "scfe/error.h"
#include "scfe/memory.h"
#include "support/budget.h"

namespace scfe {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_levels = 64, longest_brief = 60, longest_token = 40;

// Bytes that a parsed document takes for each comma, bracket, colon and quote: a value is 16 bytes in a list
// that doubles as it grows; a list or an object is allocated by itself; a member is a node of a tree.
constexpr double each_comma = 48, each_bracket = 64, each_colon = 96, each_quote = 24;

std::string place_in(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_end = before.rfind('\n');
  const std::size_t column = line_end == before.npos ? before.size() : before.size() - line_end - 1;
  return "line " + std::to_string(std::ranges::count(before, '\n') + 1) + ", column " +
         std::to_string(std::max<std::size_t>(column, 1));
}

// Returns the position behind the text that begins at `at`, a quote.
std::size_t skip_text(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at;
}

// Accepts everything and remembers where the parser gave up.
struct Locator : nlohmann::json_sax<Json> {
  std::size_t position = 0;
  std::string token;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string& last, const Json::exception&) override {
    position = at;
    token = last;
    return false;
  }
};

void append_brief(const Json& value, std::string& text) {
  const auto scalar = [](const Json& one) {
    return one.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  const auto begin = [](const std::string& long_text) { return Json(long_text.substr(0, longest_brief)); };
  if (!value.is_structured()) {
    text += scalar(value.is_string() ? begin(value.get_ref<const std::string&>()) : value);
    return;
  }
  text += value.is_object() ? '{' : '[';
  bool first = true;
  for (const auto& [key, entry] : value.items()) {
    if (text.size() > longest_brief) return;
    if (!std::exchange(first, false)) text += ',';
    if (value.is_object()) text += scalar(begin(key)) + ':';
    append_brief(entry, text);
  }
  text += value.is_object() ? '}' : ']';
}

}  // namespace

void expect_modest_json(std::string_view text, const std::string& source) {
  std::size_t levels = 0, commas = 0, brackets = 0, colons = 0, quotes = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = skip_text(text, at), ++quotes;
    commas += c == ',' ? 1 : 0;
    colons += c == ':' ? 1 : 0;
    levels -= (c == ']' || c == '}') && levels > 0 ? 1 : 0;
    if (c != '[' && c != '{') continue;
    ++brackets;
    if (++levels > most_levels)
      throw Error(source + ": " + place_in(text, at + 1),
                  "at most " + std::to_string(most_levels) + " lists and objects within each other", "more");
  }
  Budget(text.size(), source)
      .take(each_comma * static_cast<double>(commas) + each_bracket * static_cast<double>(brackets) +
            each_colon * static_cast<double>(colons) + each_quote * static_cast<double>(quotes));
}

void refuse_json(std::string_view text, const std::string& source) {
  Locator locator;
  (void)Json::sax_parse(text, &locator);
  const bool at_end = locator.position > text.size() || locator.token.empty();
  std::string token = locator.token;
  if (token.size() > longest_token) token = "..." + token.substr(token.size() - longest_token);
  throw Error(source + ": " + place_in(text, locator.position), "a JSON document",
              at_end ? "the end of the text" : "'" + token + "'");
}

Json parse_json(std::string_view text, const std::string& source) {
  expect_modest_json(text, source);
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    refuse_json(text, source);
  }
}

std::string brief(const Json& value) {
  std::string text;
  append_brief(value, text);
  return text.size() > longest_brief ? text.substr(0, longest_brief) + "..." : text;
}

}  // namespace scfe
