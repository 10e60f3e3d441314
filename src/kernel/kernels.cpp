#include "kernel/kernels.h"

#include <atomic>
#include <span>

#include "scfe/error.h"
#include "scfe/instruction_set.h"

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

namespace {

std::span<const Kernels* const> runnable_sets() {
  const Kernels* const* sets = nullptr;
  const std::size_t count = kernel_sets(&sets);
  return {sets, count};
}

std::atomic<const Kernels*>& set_in_use() {
  static std::atomic<const Kernels*> in_use = runnable_sets().back();
  return in_use;
}

}  // namespace

const Kernels& kernels() { return *set_in_use().load(std::memory_order_relaxed); }

}  // namespace scfe::kernel

namespace scfe {

std::string_view instruction_set() { return kernel::kernels().name; }

void use_instruction_set(const std::string& name) {
  std::string names;
  for (const kernel::Kernels* set : kernel::runnable_sets()) {
    if (name == set->name) {
      kernel::set_in_use().store(set, std::memory_order_relaxed);
      return;
    }
    names += (names.empty() ? "" : " or ") + std::string(set->name);
  }
  throw Error("instructions", names + " on this processor", "'" + name + "'");
}

}  // namespace scfe
