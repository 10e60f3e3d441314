#include "cli/interrupt.h"

#include <csignal>

namespace scfe::cli {
namespace {

volatile std::sig_atomic_t stop = 0;

// A second Ctrl-C ends the process at once.
void ask_to_stop(int signal) {
  stop = 1;
  (void)std::signal(signal, SIG_DFL);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  stop = 0;
  (void)std::signal(SIGINT, ask_to_stop);
  (void)std::signal(SIGTERM, ask_to_stop);
}

InterruptGuard::~InterruptGuard() {
  (void)std::signal(SIGINT, SIG_DFL);
  (void)std::signal(SIGTERM, SIG_DFL);
}

bool InterruptGuard::asked() const { return stop != 0; }

}  // namespace scfe::cli
