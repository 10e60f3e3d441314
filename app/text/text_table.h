// Aligned columns, and numbers as text for people.
#pragma once

#include <string>
#include <vector>

namespace scfe::app {

enum class Align { left, right };

class TextTable {
 public:
  explicit TextTable(std::vector<Align> columns) : align_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Each line is indented by that many spaces and has no trailing spaces.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;
};

// 0.34 -> "34 %", 0.004 -> "0.4 %", 0.00001 -> "< 0.1 %".
std::string percent(double share);
// The same, but never rounded to or across the bound: for a bound of 50 %, 0.503 is "50.3 %" and 0.5003 is
// "just over 50 %".
std::string percent_against(double share, double bound);
// Four or three significant digits; "-" if it is not finite.
std::string short_number(double value);
std::string three_digits(double value);

}  // namespace scfe::app
