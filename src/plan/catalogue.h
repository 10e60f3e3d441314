// All solvers: which rows each fits, and whether it proves its answers. The first that fits a row answers
// it; what is tried afterwards is in the table of stages in plan.cpp.
//
//     linear   one linear score without a floor: closed form, feature by feature     solver/exact/linear.h
//     cells    tree ensembles: every cell within reach                               solver/exact/exact.h
//     climb    more than 64 features: climbs say where the search begins             plan/many_features.h
//     moves    categories, few-valued numbers, rules, models without gradients       solver/search/mixed.h
//     search   numbers and inequalities between them, with gradients                 solver/search/search.h
//     grid     the paper's algorithm, tuned for each row                             plan/paper.h
//     apg      the paper's algorithm                                                 plan/paper.h
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "query/query.h"
#include "query/row.h"
#include "solver/search/search.h"

namespace scfe {

// A query, with facts about its model and table on which the choice of a solver depends.
class PlanQuery {
 public:
  explicit PlanQuery(const Query& asked) : query(asked) {}
  explicit PlanQuery(const Query&&) = delete;  // it keeps a reference
  const Query& query;

  // True if solver/search/search.h cannot answer the row: it needs gradients, and handles neither categories
  // nor conditions on values other than inequalities.
  bool needs_moves(const Row& row) const;
  // True if supports are not grown one feature at a time (plan/many_features.h).
  bool has_many_features() const;

 private:
  mutable std::optional<bool> always_moves_;  // depends on model and table only; computed at first use
};

struct SolverRow {
  std::string_view name;
  Solver choice;  // the value of options.solver that allows it, besides auto
  // Its answers are proven closest, unless there is a floor or a condition.
  bool proves = false;
  // It lists all moves of one feature. Rules and categories can lead it into dead ends.
  bool lists_moves = false;
  // Further answers that it finds are refined by the solver "moves".
  bool is_refined = false;
  // It moves all features at once, as the paper does: it takes penalties in place of a limit on the number of
  // changes, may use all changes that it is allowed even if fewer are enough, and where no move helps the
  // closest that it reports is the row itself.
  bool moves_all = false;
  // Changes that validity and the floor do not need are undone. The paper's algorithm returns what its
  // iteration returns: exactly m changes, and what they gain in density.
  bool is_pruned = false;
  bool (*fits)(const PlanQuery& question, const Row& row);
  // found[i] belongs to rows[i].
  void (*solve)(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
};

std::span<const SolverRow> solver_catalogue();
const SolverRow& solver_for(const PlanQuery& question, const Row& row);
// SolverRow::moves_all and is_pruned of the solvers that the options allow. They are the same for all of
// them.
bool moves_all(const Options& options);
bool is_pruned(const Options& options);

// No answer of the row has fewer changes than this, as far as bounds tell: of the score of a tree ensemble, and
// of log q where there is a floor. At most options.max_changes + 1; 0: it may have an answer without any.
std::size_t fewest_changes(const Query& query, const Row& row);

// The search effort that the options ask for, and the solver "moves".
SearchOptions effort_of(const Options& options);
void solve_by_moves(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
