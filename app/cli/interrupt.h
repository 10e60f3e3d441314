// Ctrl-C asks for a stop after the batch at work instead of ending the process.
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
