// A persistent thread pool for work in numbered pieces. Results must not depend on which thread runs a piece.
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
  // Runs work(worker) once on every thread, including the caller's, and waits. Rethrows the first exception.
  void run(const std::function<void(std::size_t worker)>& work);
  // Runs work(piece) once for each piece = 0 .. pieces - 1.
  void each(std::size_t pieces, const std::function<void(std::size_t piece)>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scfe
