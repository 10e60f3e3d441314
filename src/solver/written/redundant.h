// Redundant changes: without such a change the row is still valid, as plausible as asked and within the
// limits. The closest answer has none. One that a search finds may have some, and so may a further answer: an
// earlier answer with one more change that has no effect.
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

// True if one of the changes of an answer is redundant, whatever other answers the row has. May be called by
// several threads at once.
class RedundancyCheck {
 public:
  explicit RedundancyCheck(const Query& query);
  ~RedundancyCheck();
  bool operator()(const Row& asked, std::span<const double> values);

 private:
  std::unique_ptr<RowCheck> take();

  const Query& query_;
  std::mutex lock_;
  std::vector<std::unique_ptr<RowCheck>> idle_;
};

// Undoes redundant changes, the dearest first; found[i] belongs to rows[i]. If time is up, answers stay as
// they are and are marked as timed out.
void drop_redundant(const Query& query, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
