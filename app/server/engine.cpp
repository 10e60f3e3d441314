#include "server/engine.h"

namespace scfe::server {

Lane::Lane(std::size_t threads, std::size_t capacity) : capacity_(capacity) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Lane::~Lane() { close(); }

bool Lane::submit(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || queue_.size() >= capacity_) return false;
    queue_.push_back(std::move(work));
  }
  wake_.notify_one();
  return true;
}

std::size_t Lane::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

bool Lane::full() const {
  const std::lock_guard lock(mutex_);
  return closing_ || queue_.size() >= capacity_;
}

void Lane::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Lane::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [&] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace scfe::server
