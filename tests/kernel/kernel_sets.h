// All kernel sets that this machine can run.
#pragma once

#include <span>

#include "kernel/kernels.h"

namespace scfe::test {

inline std::span<const kernel::Kernels* const> kernel_sets() {
  const kernel::Kernels* const* sets = nullptr;
  const std::size_t count = kernel::kernel_sets(&sets);
  return {sets, count};
}

}  // namespace scfe::test
