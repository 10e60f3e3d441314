#include "cli/interrupt.h"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <ctime>
#include <mutex>
#include <utility>

#include "cli/verb.h"
#include "scfe/file.h"

namespace scfe::app {
namespace {

struct Shared {
  std::stop_source stop;
  std::mutex mutex;
  std::string note;
  double grace = 0.333;  // seconds
};

Shared& shared() {
  static Shared all;
  return all;
}

timespec grace() {
  const std::scoped_lock lock(shared().mutex);
  const double whole = std::floor(shared().grace);
  return {static_cast<time_t>(whole), static_cast<long>((shared().grace - whole) * 1e9)};
}

// nohup lets a process ignore SIGHUP, and wants it to.
sigset_t awaited() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&set, signal);
  struct sigaction now = {};
  if (sigaction(SIGHUP, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);
  return set;
}

[[noreturn]] void give_up() {
  remove_temporary_files();
  std::string line = ::isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "";
  {
    const std::scoped_lock lock(shared().mutex);
    line += "scfe: interrupted" + shared().note + "\n";
  }
  (void)write_fully(STDERR_FILENO, line);
  ::_exit(failed);
}

}  // namespace

Interrupts::Interrupts() {
  (void)shared();
  (void)std::signal(SIGINT, SIG_DFL);  // a shell's background jobs ignore it
  const sigset_t set = awaited();
  (void)pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait(); });
}

// Any signal wakes the thread, which then sees that the work is over.
Interrupts::~Interrupts() {
  over_ = true;
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread): the thread waits for it
  (void)pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void Interrupts::wait() {
  const sigset_t set = awaited();
  int signal = 0;
  while (sigwait(&set, &signal) != 0) {
  }
  if (over_) return;
  shared().stop.request_stop();
  const timespec left = grace();
  (void)sigtimedwait(&set, nullptr, &left);
  if (!over_) give_up();
}

std::stop_token Interrupts::token() { return shared().stop.get_token(); }

void Interrupts::allow(double seconds) {
  const std::scoped_lock lock(shared().mutex);
  shared().grace = seconds;
}

void Interrupts::say(std::string note) {
  const std::scoped_lock lock(shared().mutex);
  shared().note = std::move(note);
}

}  // namespace scfe::app
