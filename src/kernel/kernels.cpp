#include "kernel/kernels.h"

namespace scfe::kernel {

namespace baseline {
extern const Kernels table;
}
#ifdef SCFE_HAS_V3
namespace v3 {
extern const Kernels table;
}
#endif

std::size_t kernel_sets(const Kernels* const** sets) {
#ifdef SCFE_HAS_V3
  static const Kernels* const all[] = {&baseline::table, &v3::table};
  *sets = all;
  // The features of x86-64-v3 that the loops use, checked one by one: some compilers do not know the level.
  const bool v3_runs = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                       __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return v3_runs ? 2 : 1;
#else
  static const Kernels* const all[] = {&baseline::table};
  *sets = all;
  return 1;
#endif
}

const Kernels& kernels() {
  static const Kernels* const best = [] {
    const Kernels* const* sets = nullptr;
    const std::size_t count = kernel_sets(&sets);
    return sets[count - 1];
  }();
  return *best;
}

}  // namespace scfe::kernel
