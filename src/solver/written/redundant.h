// Changes that an answer does not need: taken back, it is as valid, as plausible as asked and within the
// limits. The closest answer has none; the one that a search finds may, and so may an answer that has to
// differ from others: one of those with a change beside it that does nothing.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "query/instance.h"
#include "solver/search/search.h"
#include "support/deadline.h"
#include "objective/evaluate.h"

namespace scfe {

class Pool;
class RowCheck;

struct NeedlessJob {
  const Wished& wished;
  double margin;  // that all rows have to reach
  Deadline deadline = never;
};

// Whether one of the changes of a row that is an answer is needless, whatever other answers there are. Asked
// by several threads at once.
class Padding {
 public:
  explicit Padding(const NeedlessJob& job);
  ~Padding();
  bool operator()(const Instance& instance, std::span<const double> values);

 private:
  std::unique_ptr<RowCheck> take();

  NeedlessJob job_;
  std::mutex lock_;
  std::vector<std::unique_ptr<RowCheck>> idle_;
};

// Takes needless changes back, the dearest first; found[i] belongs to instances[i]. Where time is up an
// answer stays as it is, and says so.
void drop_needless(const NeedlessJob& job, std::span<const Instance> instances, std::span<Found> found,
                   Pool& pool);

}  // namespace scfe
