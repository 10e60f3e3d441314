// Counts the allocations of this thread, to show that a loop makes none. Always 0 under sanitizers, which
// replace the allocation operators themselves.
#pragma once

namespace scfe::test {

long allocations();

}  // namespace scfe::test
