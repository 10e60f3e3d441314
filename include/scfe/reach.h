// Regression: where the model's output has to go (options.reach).
#pragma once

#include <optional>
#include <string>

namespace scfe {

// Either end may be open.
struct Reach {
  std::optional<double> lo, hi;

  bool holds(double output) const { return (!lo || output >= *lo) && (!hi || output <= *hi); }
};
// "21.5:", ":30" or "20:30"; nothing from an empty text. Error on anything else.
std::optional<Reach> parse_reach(const std::string& text);

}  // namespace scfe
