#include "text/room_number.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "scfe/text.h"

namespace scfe::app {
namespace {

// Rounds to fifteen digits before it rounds down, since 0.3 is stored as 0.29999999999999999.
std::string four_digits(double value) {
  char text[40];
  (void)std::snprintf(text, sizeof text, "%.14e", value);
  const std::string digits = text, cut = digits.substr(0, 5) + digits.substr(digits.find('e'));
  return number_text(std::strtod(cut.c_str(), nullptr));
}

}  // namespace

std::string room_number(const Feature& feature, double room) {
  const double step = feature.step.value_or(0);
  if (const std::optional<int> decimals = step > 0 ? decimals_of_step(step) : std::nullopt) {
    const double digit = step_of_decimals(*decimals), count = std::floor(room / digit * (1 + 1e-12));
    if (count > 0) return number_text(count * digit, *decimals);
  }
  return four_digits(room);
}

}  // namespace scfe::app
