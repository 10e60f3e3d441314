// What a solver computes from a fitted model alone, such as the cells of a tree ensemble: made at first use
// and kept with what was fitted, for all questions and threads.
#pragma once

#include <memory>
#include <mutex>

namespace scfe {

class Prepared {
 public:
  struct Part {
    virtual ~Part() = default;
  };

  // The part if fits(part) holds; else the one that make() returns, which is kept instead. One solver alone
  // uses it, so that there is one type of parts.
  template <class Made, class Fits, class Make>
  std::shared_ptr<const Made> part(const Fits& fits, const Make& make) {
    const std::scoped_lock guard(lock_);
    auto kept = std::dynamic_pointer_cast<const Made>(part_);
    if (kept == nullptr || !fits(*kept)) part_ = kept = make();
    return kept;
  }

 private:
  std::mutex lock_;
  std::shared_ptr<const Part> part_;
};

}  // namespace scfe
