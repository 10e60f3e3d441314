// Reads the words of a rule one by one: signs, words, numbers, names of features and of levels. Every error
// names the rule and the position in it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scfe/feature.h"

namespace scfe {

class RuleScanner {
 public:
  RuleScanner(const std::string& text, std::span<const Feature> features)
      : text_(text), features_(features) {}

  const std::string& text() const { return text_; }
  const Feature& feature(std::size_t f) const { return features_[f]; }
  std::size_t at() const { return at_; }
  void go_to(std::size_t position) { at_ = position; }

  [[noreturn]] void fail(const std::string& expected);
  std::string place() const { return "rule '" + text_ + "', position " + std::to_string(at_ + 1); }

  bool at_end();
  bool takes(std::string_view sign);
  bool takes_word(std::string_view word);
  // A feature: the longest name that matches here, or any name in quotes or backticks.
  std::optional<std::size_t> name();
  std::optional<double> number();         // without a sign
  std::optional<double> signed_number();  // with one
  std::optional<std::string> quoted();    // the text between quotes or backticks
  // A value of the feature: a number, or the place of a level, which is written in quotes or as a number.
  double value_of(std::size_t feature);

 private:
  void skip();
  std::size_t longest_name() const;
  std::size_t find(const std::string& name);

  const std::string& text_;
  std::span<const Feature> features_;
  std::size_t at_ = 0;
};

}  // namespace scfe
