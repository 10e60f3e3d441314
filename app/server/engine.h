// Threads that answer requests, behind queues that have an end. Predictions have a thread of their own, so
// that a page stays live while long explanations are at work.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace scfe::server {

class Lane {
 public:
  Lane(std::size_t threads, std::size_t capacity);
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // False if the queue is full. `work` must not throw.
  bool submit(std::function<void()> work);
  std::size_t waiting() const;
  bool full() const;
  // Work that waits is done, nothing new is taken; returns when all threads have ended.
  void close();

 private:
  void serve();

  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  bool closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace scfe::server
