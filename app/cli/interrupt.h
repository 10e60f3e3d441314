// Ctrl-C, SIGTERM and SIGHUP, for every verb. The first one asks the work to stop, by token(). Work that has
// not ended after a third of a second, or at the second signal, is given up: temporary files are removed, and
// the process ends with one line on stderr and status 2. What a journal holds stays (output/journal.h).
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

namespace scfe::app {

class Interrupts {
 public:
  // From now on this thread and those that it starts leave the signals to a thread that waits for them. There
  // is one such object, made first of all, because signals are for the whole process.
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  static std::stop_token token();
  static bool asked() { return token().stop_requested(); }
  // Work that needs longer than a third of a second to end in order.
  static void allow(double seconds);
  // What the last line says after "interrupted", should the work have to be given up.
  static void say(std::string note);

 private:
  void wait();

  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace scfe::app
