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

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "query/query.h"
#include "query/row.h"
#include "solver/search/search.h"
#include "solver/written/row_check.h"

namespace scfe {

// A query, with facts about its model and table on which the choice of a solver depends.
class PlanQuery {
 public:
  explicit PlanQuery(const Query& asked) : query(asked) {}
  explicit PlanQuery(const Query&&) = delete;  // it keeps a reference
  const Query& query;

  // Another question about the same model and table.
  PlanQuery with(const Query& other) const;
  PlanQuery with(const Query&&) const = delete;
  // Evaluates written rows, one at a time.
  RowCheck& check();

  // True if solver/search/search.h cannot answer the row: it needs gradients, and handles neither categories
  // nor conditions on values other than inequalities.
  bool needs_moves(const Row& row) const;
  // True if supports are not grown one feature at a time: of many features, climbs choose them first
  // (plan/many_features.h).
  bool climbs_first() const;

 private:
  mutable std::optional<bool> always_moves_;  // depends on model and table only; computed at first use
  std::unique_ptr<RowCheck> check_;
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
// True if the options allow the solver.
bool is_admitted(const Options& options, const SolverRow& solver);
// True if some answer may be proven closest.
bool may_prove(const Model& model, const Options& options);
// Throws Error unless solvers that options.solver allows can answer every row of the question.
void check_solver(const Model& model, const Options& options);
// True if a search may replace what an exact solver answered or proved; else it only tells how close a row
// comes where that found nothing.
bool may_improve_proof(const Options& options);
// SolverRow::moves_all and is_pruned. Options admit either only apg solvers or none, so the first admitted
// one decides.
bool moves_all(const Options& options);
bool is_pruned(const Options& options);

// No answer of the row has fewer changes than this, as far as bounds tell: of the score of a tree ensemble,
// and of log q where there is a floor. At most options.max_changes + 1; 0: it may have an answer without any.
std::size_t fewest_changes(const Query& query, const Row& row);

// The search effort that the options ask for, and the solver "moves".
SearchOptions effort_of(const Options& options);
void solve_by_moves(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);

}  // namespace scfe
