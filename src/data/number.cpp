#include "data/number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace scfe {
namespace {

std::string_view trim(std::string_view cell) {
  while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) cell.remove_prefix(1);
  while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t')) cell.remove_suffix(1);
  return cell;
}

}  // namespace

std::optional<double> parse_number(std::string_view cell) {
  cell = trim(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string number_text(double value) {
  if (value == 0) return "0";  // also for -0
  std::array<char, 64> text{};
  const double size = std::abs(value);
  const bool plain = size >= 1e-9 && size < 1e15;
  const auto format = plain ? std::chars_format::fixed : std::chars_format::general;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format).ptr};
}

std::string number_text(double value, int decimals) {
  if (!(std::abs(value) < 1e15)) return number_text(value);
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  std::string_view digits(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  if (decimals > 0) {
    digits.remove_suffix(digits.size() - 1 - digits.find_last_not_of('0'));
    if (digits.back() == '.') digits.remove_suffix(1);
  }
  return std::string(digits == "-0" ? "0" : digits);
}

int decimals_of(std::string_view cell) {
  cell = trim(cell);
  const std::size_t mark = cell.find_first_of("eE");
  int exponent = 0;
  if (mark != std::string_view::npos) {
    const char* from = cell.data() + mark + 1;
    if (mark + 1 < cell.size() && *from == '+') ++from;
    std::from_chars(from, cell.data() + cell.size(), exponent);
    cell = cell.substr(0, mark);
  }
  const std::size_t point = cell.find('.');
  const std::size_t last = cell.find_last_of("123456789");  // trailing zeros do not count
  int digits = 0;
  if (last == std::string_view::npos) return 0;
  if (point != std::string_view::npos && last > point) digits = static_cast<int>(last - point);
  // Trailing zeros before the point offset a negative exponent: 1200e-1 needs no decimals.
  if (digits == 0) {
    const std::size_t whole = point == std::string_view::npos ? cell.size() : point;
    digits = -static_cast<int>(whole - 1 - last);
  }
  return std::max(0, digits - exponent);
}

int written_decimals_of(std::string_view cell) {
  cell = trim(cell);
  const std::size_t point = cell.find('.');
  const bool plain = point != std::string_view::npos && cell.find_first_of("eE") == std::string_view::npos;
  return plain ? static_cast<int>(cell.size() - 1 - point) : 0;
}

std::string padded(std::string number, int decimals) {
  const int own = written_decimals_of(number);
  if (own >= decimals || number.find_first_of("eE") != std::string::npos) return number;
  if (own == 0) number += '.';
  return number.append(static_cast<std::size_t>(decimals - own), '0');
}

double step_of_decimals(int decimals) { return 1 / std::pow(10.0, decimals); }

std::optional<int> decimals_of_step(double step) {
  for (int decimals = 0; decimals <= 15; ++decimals) {
    const double scaled = step * std::pow(10.0, decimals);
    if (std::abs(scaled - std::round(scaled)) <= 4e-16 * scaled && scaled >= 0.5) return decimals;
  }
  return std::nullopt;
}

}  // namespace scfe
