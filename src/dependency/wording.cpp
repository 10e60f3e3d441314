#include "dependency/wording.h"

#include <array>
#include <cctype>
#include <cmath>

#include "scfe/text.h"

namespace scfe {
namespace {

std::optional<std::string> in_quotes(const std::string& text, std::span<const char> quotes) {
  for (const char quote : quotes)
    if (text.find(quote) == std::string::npos) return quote + text + quote;
  return std::nullopt;
}

bool is_plain_word(const std::string& name) {
  constexpr std::array words = {"if",    "then",  "and",     "not",   "in",  "at",
                                "rises", "falls", "changes", "stays", "map", "of"};
  for (const char* word : words)
    if (name == word) return false;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
}

// 16281 becomes "16,281".
std::string with_commas(std::size_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

}  // namespace

std::optional<std::string> name_in_rule(const Feature& feature) {
  constexpr std::array quotes = {'`', '"', '\''};
  return is_plain_word(feature.name) ? feature.name : in_quotes(feature.name, quotes);
}

std::optional<std::string> value_in_rule(const Feature& feature, double value) {
  constexpr std::array quotes = {'"', '\'', '`'};
  if (feature.levels.empty()) return number_text(value);
  return in_quotes(feature.levels[static_cast<std::size_t>(value)], quotes);
}

std::optional<std::string> condition_in_rule(const Feature& feature, const Allowed& allowed) {
  const std::optional<std::string> name = name_in_rule(feature);
  std::vector<std::string> parts;
  bool written = name.has_value();
  const auto compare = [&](const std::string& sign, const std::optional<double>& bound) {
    if (bound && name) parts.push_back(*name + " " + sign + " " + number_text(*bound));
  };
  compare(">", allowed.above);
  compare("<", allowed.below);
  compare("<=", allowed.at_most);
  compare("=", allowed.only);
  const auto list = [&](const std::vector<double>& values, const std::string& one, const std::string& many) {
    std::vector<std::string> texts;
    for (const double value : values) {
      const std::optional<std::string> text = value_in_rule(feature, value);
      written = written && text;
      texts.push_back(text.value_or(""));
    }
    if (!written || values.empty()) return;
    parts.push_back(*name + (values.size() == 1 ? " " + one + " " + texts[0]
                                                : " " + many + " (" + join(texts, ", ") + ")"));
  };
  list(allowed.among, "=", "in");
  list(allowed.not_among, "!=", "not in");
  return written ? std::optional(join(parts, " and ")) : std::nullopt;
}

std::string evidence_text(std::size_t broken, std::size_t rows, double expected) {
  return with_commas(broken) + " of " + with_commas(rows) + " rows; " +
         with_commas(static_cast<std::size_t>(std::llround(expected))) + " expected";
}

}  // namespace scfe
