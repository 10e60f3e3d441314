// Rows under rules between features are asked without them first: a relaxation.
//
//     A   the answers that keep the limits and all rules
//     B   the same without inequalities, "at most N of" and implications;  A is a part of B
//
// Answers of both are ranked alike (floor, number of changes, cost, log q), because none of these depends on
// the rules that were lifted. So if the best of B keeps the rules, it is in A and the best of A, and a proof
// that nothing in B is better is one for A; and if B is empty, so is A. What a search finds in B without a
// proof is accepted too: a search in the smaller set cannot be expected to find more.
//
// Formulas of derived columns are never lifted: a follower is no change of its own and costs nothing, so that
// without its formula changes would be counted and paid otherwise, and B would be ranked in another way.
//
// Rows whose answer in B breaks a rule are solved again under all rules. This is decided for each row alone.
#pragma once

#include <span>
#include <vector>

#include "query/query.h"
#include "query/row.h"
#include "solver/found.h"

namespace scfe {

class Relaxation {
 public:
  // Keeps references to what the query was fitted for.
  Relaxation(const Query& query, std::span<const Row> rows);
  Relaxation(const Relaxation&) = delete;  // its rows and its query refer to its rules
  Relaxation& operator=(const Relaxation&) = delete;

  // True if some rule can be lifted. Otherwise there is nothing to relax.
  static bool is_wider(const Query& query);
  // True if what was found for the relaxed row answers the row itself.
  static bool stands(const Row& row, const Found& found);

  const Query& query() const { return query_; }
  std::span<const Row> rows() const { return rows_; }

 private:
  Rules rules_;
  Fitted fitted_;
  Query query_;
  std::vector<Row> rows_;
};

}  // namespace scfe
