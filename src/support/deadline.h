// The time at which a computation must stop; `never` means no limit.
#pragma once

#include <chrono>

namespace scfe {

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline never = Deadline::max();

inline bool is_past(Deadline deadline) {
  return deadline != never && std::chrono::steady_clock::now() >= deadline;
}

}  // namespace scfe
