// Which instructions the inner loops are compiled for: "v3" (AVX2 and fused multiply-add, x86-64-v3) if the
// processor has them, otherwise "baseline". Answers do not depend on it, to the bit; the baseline computes
// fused multiply-adds in software where the processor has none, and is several times slower there.
#pragma once

#include <string>
#include <string_view>

namespace scfe {

// The set in use.
std::string_view instruction_set();
// Replaces it, for comparisons. To be called before anything is fitted or read: what exists keeps its own.
// Error if there is no such set, or the processor cannot run it.
void use_instruction_set(const std::string& name);

}  // namespace scfe
