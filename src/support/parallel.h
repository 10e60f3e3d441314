// A persistent pool that splits work into numbered pieces. Which thread takes a piece never matters to
// its result.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace scfe {

class Pool {
 public:
  explicit Pool(std::size_t threads);  // 0: one per core
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t threads() const;
  // Runs work(worker) once on every thread, the caller's included, and waits. The first exception is
  // rethrown here.
  void run(const std::function<void(std::size_t worker)>& work);
  // work(piece) for piece = 0 .. pieces - 1, each once.
  void each(std::size_t pieces, const std::function<void(std::size_t piece)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scfe
