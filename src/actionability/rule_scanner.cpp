#include "actionability/rule_scanner.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "scfe/error.h"
#include "scfe/text.h"

namespace scfe {
namespace {

bool starts_number(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

}  // namespace

void RuleScanner::fail(const std::string& expected) {
  skip();
  const std::string rest = text_.substr(at_, 20);
  throw Error(place(), expected, rest.empty() ? "its end" : "'" + rest + "'");
}

void RuleScanner::skip() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool RuleScanner::at_end() {
  skip();
  return at_ == text_.size();
}

bool RuleScanner::takes(std::string_view sign) {
  skip();
  if (text_.compare(at_, sign.size(), sign) != 0) return false;
  at_ += sign.size();
  return true;
}

bool RuleScanner::takes_word(std::string_view word) {
  skip();
  const std::size_t end = at_ + word.size();
  if (text_.compare(at_, word.size(), word) != 0 || (end < text_.size() && in_word(text_[end]))) return false;
  at_ = end;
  return true;
}

// Length of the longest feature name that matches here as a whole word; "2nd" and the like need quotes.
std::size_t RuleScanner::longest_name() const {
  std::size_t longest = 0;
  for (const Feature& feature : features_) {
    const std::string& name = feature.name;
    const std::size_t end = at_ + name.size();
    const bool here = !name.empty() && !starts_number(name[0]) &&
                      text_.compare(at_, name.size(), name) == 0 &&
                      (end == text_.size() || !in_word(text_[end]) || !in_word(name.back()));
    if (here) longest = std::max(longest, name.size());
  }
  return longest;
}

std::size_t RuleScanner::find(const std::string& name) {
  for (std::size_t f = 0; f < features_.size(); ++f)
    if (features_[f].name == name) return f;
  std::vector<std::string> known;
  for (const Feature& feature : features_) known.push_back(feature.name);
  if (nearest_name(name, known).empty()) fail("a feature (" + join(known, ", ") + ")");
  throw unknown_name(place(), "feature", name, known);
}

std::optional<std::string> RuleScanner::quoted() {
  skip();
  if (at_ == text_.size()) return std::nullopt;
  const char quote = text_[at_];
  if (quote != '"' && quote != '\'' && quote != '`') return std::nullopt;
  const std::size_t end = text_.find(quote, at_ + 1);
  if (end == std::string::npos) fail(std::string("a name in quotes that ends with ") + quote);
  const std::string inside = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return inside;
}

std::optional<std::size_t> RuleScanner::name() {
  skip();
  if (at_ == text_.size()) return std::nullopt;
  const std::size_t begin = at_;
  if (const std::optional<std::string> inside = quoted()) {
    const std::size_t end = std::exchange(at_, begin);  // an error names the beginning of the quotes
    const std::size_t feature = find(*inside);
    at_ = end;
    return feature;
  }
  if (const std::size_t length = longest_name(); length > 0) {
    const std::size_t feature = find(text_.substr(at_, length));
    at_ += length;
    return feature;
  }
  if (in_word(text_[at_]) && !starts_number(text_[at_])) {
    const auto end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), in_word);
    find({text_.begin() + static_cast<std::ptrdiff_t>(at_), end});
  }
  return std::nullopt;
}

std::optional<double> RuleScanner::number() {
  skip();
  double value = 0;
  const char* begin = text_.data() + at_;
  if (at_ == text_.size() || !starts_number(*begin)) return std::nullopt;
  const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) fail("a finite number");
  at_ += static_cast<std::size_t>(end - begin);
  return value;
}

std::optional<double> RuleScanner::signed_number() {
  const std::size_t begin = at_;
  const bool negative = takes("-");
  const std::optional<double> size = number();
  if (!size) {
    at_ = begin;
    return std::nullopt;
  }
  return negative ? -*size : *size;
}

double RuleScanner::value_of(std::size_t f) {
  const Feature& feature = features_[f];
  skip();
  const std::size_t begin = at_;
  std::optional<std::string> level = quoted();
  const std::optional<double> value = level ? std::nullopt : signed_number();
  if (feature.levels.empty()) {
    const bool is_one = value && (!feature.is_category() || *value == 0 || *value == 1);
    if (!is_one) {
      at_ = begin;
      fail((feature.is_category() ? "0 or 1 for '" : "a number for '") + feature.name + "'");
    }
    return *value;
  }
  if (value) level = text_.substr(begin, at_ - begin);
  const std::size_t end = std::exchange(at_, begin);
  if (!level) fail("a level of '" + feature.name + "' in quotes");
  const auto found = std::ranges::find(feature.levels, *level);
  if (found == feature.levels.end())
    throw unknown_name(place(), "level of '" + feature.name + "'", *level, feature.levels);
  at_ = end;
  return static_cast<double>(found - feature.levels.begin());
}

}  // namespace scfe
