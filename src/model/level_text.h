// A category of a JSON file as text, the way a CSV cell holds it: "clerk", "3" (also for 3.0), "0.5", "True".
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "scfe/error.h"

namespace scfe {

inline std::string level_text(const nlohmann::json& level, const std::string& where) {
  if (level.is_string()) return level.get<std::string>();
  if (level.is_boolean()) return level.get<bool>() ? "True" : "False";
  if (!level.is_number()) throw Error(where, "texts and numbers as categories", level.type_name());
  constexpr double exact = 9007199254740992.0;  // 2^53
  const auto value = level.get<double>();
  if (level.is_number_float() && value == std::round(value) && std::abs(value) < exact)
    return std::to_string(static_cast<std::int64_t>(value));
  return level.dump();
}

}  // namespace scfe
