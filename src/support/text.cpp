#include "support/text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace scfe {
namespace {

std::string printed(const char* format, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::string number(double value) { return printed("%.6g", value); }
std::string exact_number(double value) { return printed("%.15g", value); }
std::string rough(double value) { return printed("%.2g", value); }
std::string percent(double share) { return number(std::floor(1000 * share + 1e-9) / 10) + " %"; }

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string join(const std::vector<std::string>& parts, const std::string& between) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : between) + part;
  return joined;
}

}  // namespace scfe
