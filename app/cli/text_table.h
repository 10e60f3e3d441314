// Aligned columns, and shares as people say them.
#pragma once

#include <string>
#include <vector>

namespace scfe::cli {

enum class Align { left, right };

class TextTable {
 public:
  explicit TextTable(std::vector<Align> columns) : align_(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  // Each line with that many spaces in front; no trailing spaces.
  std::string text(std::size_t indent = 0) const;

 private:
  std::vector<Align> align_;
  std::vector<std::vector<std::string>> rows_;
};

// 0.34 -> "34 %", 0.004 -> "0.4 %", 0.00001 -> "< 0.1 %".
std::string percent(double share);
// The same, but never rounded onto or across the bound: against 50 %, 0.503 is "50.3 %", 0.5003 "just over
// 50 %".
std::string percent_against(double share, double bound);
// Four significant digits; "-" where it is no number.
std::string short_number(double value);

}  // namespace scfe::cli
