#include "text/text_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace scfe::app {
namespace {

// The number of characters, not bytes, of UTF-8 text.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string print(const char* format, double value) {
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::string TextTable::text(std::size_t indent) const {
  std::vector<std::size_t> width(align_.size());
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], width_of(row[i]));
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string space(width[i] - width_of(row[i]), ' ');
      line += (i > 0 ? "  " : "") + (align_[i] == Align::left ? row[i] + space : space + row[i]);
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string percent(double share) {
  const double p = 100 * share;
  if (!std::isfinite(p)) return "-";
  if (p <= 0) return "0 %";
  if (p >= 100) return "100 %";
  if (p < 0.1) return "< 0.1 %";
  if (p > 99.9) return "> 99.9 %";
  return print(p < 1 || p > 99 ? "%.1f %%" : "%.0f %%", p);
}

std::string percent_against(double share, double bound) {
  const double p = 100 * share, b = 100 * bound;
  if (share == bound || !std::isfinite(p)) return percent(share);
  for (const int digits : {0, 1}) {
    const double scale = std::pow(10.0, digits), shown = std::round(p * scale) / scale;
    const bool right_side = share > bound ? shown > b : shown < b;
    if (right_side && digits == 0) return percent(share);
    if (right_side) return print("%.1f %%", p);
  }
  return (share > bound ? "just over " : "just under ") + percent(bound);
}

std::string short_number(double value) { return std::isfinite(value) ? print("%.4g", value) : "-"; }
std::string three_digits(double value) { return std::isfinite(value) ? print("%.3g", value) : "-"; }

}  // namespace scfe::app
