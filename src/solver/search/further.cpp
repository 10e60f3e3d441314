// Further answers of a row. Supports of earlier answers are extended but are not answers themselves; if the
// best state does not give an answer, the next best is tried.
#include <algorithm>

#include "solver/search/search.h"

namespace scfe {

// The support of an earlier answer is no answer again, but it may become one with one more change.
void Search::add_taken(std::size_t size) {
  for (const std::vector<int>& support : row_->demand.taken_supports) {
    if (support.size() != size) continue;
    const double score = solve_prediction(root_, support);
    add_candidate(support, qp_.solution(), score);
  }
}

// The best state gave no answer, for example because one of its changes is redundant: tries the next best.
Task Search::settle_others() {
  constexpr std::size_t most = 8;
  std::stable_sort(others_.begin(), others_.end(),
                   [](const State& a, const State& b) { return a.merit < b.merit; });
  const std::vector<State> others = std::move(others_);
  const std::vector<int> failed = best_.point.support;
  others_.clear();
  std::size_t tried = 0;
  for (const State& other : others) {
    if (answer_.holds() || tried == most || lanes_.out_of_time()) break;
    if (other.point.support == failed) continue;
    best_ = other;
    ++tried;
    co_await settle();
  }
  others_.clear();
}

}  // namespace scfe
