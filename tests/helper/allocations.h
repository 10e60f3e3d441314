// How often this thread has asked for memory: to show that a loop does not.
#pragma once

namespace scfe::test {

long allocations();

}  // namespace scfe::test
