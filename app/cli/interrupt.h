// The first Ctrl-C stops the program after the current batch instead of at once.
#pragma once

namespace scfe::cli {

class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
  bool asked() const;
};

}  // namespace scfe::cli
