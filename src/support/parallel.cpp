#include "support/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace scfe {

struct Pool::State {
  std::mutex mutex;
  std::condition_variable wake, done;
  const std::function<void(std::size_t)>* work = nullptr;
  std::size_t round = 0, busy = 0;
  bool closing = false;
  std::exception_ptr failure;
  std::vector<std::thread> helpers;

  void attempt(const std::function<void(std::size_t)>& task, std::size_t worker) {
    try {
      task(worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  }

  void serve(std::size_t worker) {
    std::size_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return closing || round != seen; });
      if (closing) return;
      seen = round;
      const auto* task = work;
      lock.unlock();
      attempt(*task, worker);
      lock.lock();
      if (--busy == 0) done.notify_all();
    }
  }
};

Pool::Pool(std::size_t threads) : state_(std::make_unique<State>()) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  try {
    for (std::size_t worker = 1; worker < threads; ++worker)
      state_->helpers.emplace_back([state = state_.get(), worker] { state->serve(worker); });
  } catch (const std::system_error&) {
    // If the system grants fewer threads, continue with those that started.
  }
}

Pool::~Pool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
  }
  state_->wake.notify_all();
  for (std::thread& helper : state_->helpers) helper.join();
}

std::size_t Pool::threads() const { return state_->helpers.size() + 1; }

void Pool::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->work = &work;
    state_->busy = state_->helpers.size();
    state_->failure = nullptr;
    ++state_->round;
  }
  state_->wake.notify_all();
  state_->attempt(work, 0);
  std::unique_lock lock(state_->mutex);
  state_->done.wait(lock, [&] { return state_->busy == 0; });
  if (state_->failure) std::rethrow_exception(state_->failure);
}

void Pool::each(std::size_t pieces, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  run([&](std::size_t) {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  });
}

}  // namespace scfe
