// Solves some rows again in another way, and keeps for each the answer that `merge` prefers.
//
// The effort of both attempts is counted. Whether a row is asked again depends on that row alone, so that its
// answer does not depend on the rows beside it.
//
// Three loops are not of this form. answer/stable bisects the margin to ask for, from answer to answer;
// mip-live excludes one more polytope each time; and plan/many_features joins two answers that it has for
// every row.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "query/row.h"

namespace scfe {

// applies(row, answer): true if the row is solved again. ask(places): the new answers of the rows at these
// places. merge(row, own, other): true if `other` replaces `own`; it may change both.
template <class Answer, class Applies, class Ask, class Merge>
void retry(std::span<const Row> rows, std::span<Answer> found, Applies applies, Ask ask, Merge merge) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (applies(rows[i], found[i])) open.push_back(i);
  if (open.empty()) return;
  std::vector<Answer> others = ask(open);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Answer& own = found[open[k]];
    const std::size_t gradients = own.gradients + others[k].gradients;
    if (merge(rows[open[k]], own, others[k])) own = std::move(others[k]);
    own.gradients = gradients;
  }
}

}  // namespace scfe
