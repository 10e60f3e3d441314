// Changes that an answer does not need: taken back, it is as valid, as plausible as asked and within the
// limits. The closest answer has none; the one that a search finds may, and so may an answer that has to
// differ from others: one of those with a change beside it that does nothing.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "objective/evaluate.h"
#include "query/row.h"
#include "solver/search/search.h"
#include "support/deadline.h"

namespace scfe {

class Pool;
class RowCheck;

// Whether one of the changes of a row that is an answer is needless, whatever other answers there are. Asked
// by several threads at once.
class RedundancyCheck {
 public:
  explicit RedundancyCheck(const Query& query);
  ~RedundancyCheck();
  bool operator()(const Row& instance, std::span<const double> values);

 private:
  std::unique_ptr<RowCheck> take();

  const Query& query_;
  std::mutex lock_;
  std::vector<std::unique_ptr<RowCheck>> idle_;
};

// Takes needless changes back, the dearest first; found[i] belongs to instances[i]. Where time is up an
// answer stays as it is, and says so.
void drop_redundant(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
