// How often this thread has asked for memory: to show that a loop does not. Always 0 under sanitizers,
// which watch memory by operators of their own.
#pragma once

namespace scfe::test {

long allocations();

}  // namespace scfe::test
