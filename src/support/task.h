// A coroutine that another coroutine or a scheduler can wait for. Solvers are written like their pseudo-code
// although they pause at every evaluation, so that many rows share one block of lanes.
#pragma once

#include <coroutine>
#include <exception>
#include <utility>

namespace scfe {

class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> caller = std::noop_coroutine();
    std::exception_ptr failure;

    Task get_return_object() { return Task(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Return {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
          return self.promise().caller;
        }
        void await_resume() noexcept {}
      };
      return Return{};
    }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // For a scheduler: runs until the next pause.
  void start() { handle_.resume(); }
  bool finished() const { return handle_.done(); }
  void rethrow() const {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }

  // For another coroutine: co_await task.
  auto operator co_await() const noexcept {
    struct Wait {
      std::coroutine_handle<promise_type> handle;
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
        handle.promise().caller = caller;
        return handle;
      }
      void await_resume() const {
        if (handle.promise().failure) std::rethrow_exception(handle.promise().failure);
      }
    };
    return Wait{handle_};
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace scfe
