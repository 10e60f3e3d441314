#include "plan/catalogue.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "actionability/links.h"
#include "model/additive.h"
#include "objective/evaluate.h"
#include "plan/many_features.h"
#include "plan/paper.h"
#include "plausibility/reachable.h"
#include "scfe/error.h"
#include "solver/exact/exact.h"
#include "solver/exact/linear.h"
#include "solver/search/axis.h"
#include "solver/search/search.h"
#include "validity/decision.h"

namespace scfe {
namespace {

// True if the gradient is 0, as for a tree ensemble, alone or inside a graph. It is evaluated at points all
// over the training range, so that the choice does not depend on the rows.
bool is_flat(const Query& query) {
  if (query.fitted.model.ensemble() != nullptr) return true;
  constexpr std::size_t points = 16;
  const std::size_t columns = query.fitted.space.columns();
  Terms terms(query, points);
  Block u(columns, points), anchors(columns, points);
  std::uint32_t random = 1;
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t f = query.fitted.space.feature_of(j);
    const bool level = query.fitted.space.is_category(f);
    const Feature& seen = query.fitted.schema_features[f];
    const double lo = level ? 0 : query.fitted.space.to_work(j, *seen.min);
    const double hi = level ? 1 : query.fitted.space.to_work(j, *seen.max);
    for (std::size_t lane = 0; lane < points; ++lane) {
      random = 1664525 * random + 1013904223;
      u[j][lane] = static_cast<float>(lo + (hi - lo) * (random >> 8) * 0x1p-24);
    }
  }
  terms.evaluate(u, anchors, {1, false, false});
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t lane = 0; lane < points; ++lane)
      if (terms.margin_gradient(0)[j][lane] != 0) return false;
  return true;
}

// The closed form chooses each feature's value independently. A category and what follows from its levels are
// one feature; other rules link several.
bool fits_linear(const PlanQuery& question, const Row& row) {
  const Query& query = question.query;
  return query.options.reach.empty() && (row.links == nullptr || row.links->are_maps_of_levels()) &&
         !row.floor && !row.demand.most_plausible && !row.demand.allows && !row.demand.is_further() &&
         fits_linear_pieces(query, row);
}

void solve_linear(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  const Query& query = question.query;
  exact_linear_rows(query, rows, found);
  if (!query.has_density()) return;
  std::vector<const Row*> asked;
  std::vector<std::vector<double>> answers;
  for (std::size_t i = 0; i < found.size(); ++i) {
    asked.push_back(&rows[i]);
    answers.push_back(found[i].values.empty() ? rows[i].values : found[i].values);
  }
  const std::vector<Checked> checked = RowCheck(query)(asked, answers);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].log_density = checked[i].log_density;
}

bool fits_cells(const PlanQuery& question, const Row& row) {
  const Query& query = question.query;
  const bool small = query.fitted.space.features() <= most_features;
  return query.fitted.model.ensemble() != nullptr && (row.links == nullptr || row.links->are_finite()) &&
         (small || query.options.solver == Solver::exact);
}

ExactOptions exact_options(const Query& query) {
  const Fitted& fitted = query.fitted;
  ExactOptions options;
  options.max_changes = query.options.max_changes;
  options.fewest_first = query.options.fewest_first;
  options.target = query.target;
  options.required = query.validity.required();
  options.by_probability = query.options.probability > 0;
  if (const std::optional<Reach> reach = score_reach(fitted.model, query.options.reach)) {
    options.lo = reach->lo;
    options.hi = reach->hi;
  }
  return options;
}

ExactJob exact_job(const Query& query, const ExactOptions& options) {
  const Fitted& fitted = query.fitted;
  return {*fitted.model.ensemble(),
          fitted.space,
          fitted.writing,
          options,
          query.has_density() ? &query.density() : nullptr,
          query.deadline,
          fitted.rules.derived,
          fitted.prepared};
}

void solve_cells(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  const ExactOptions options = exact_options(question.query);
  exact_rows(exact_job(question.query, options), rows, found, question.query.pool);
}

// Not for further answers: the climbs would end at the same answers again.
bool fits_climb(const PlanQuery& question, const Row& row) {
  return question.climbs_first() && !row.demand.is_further() && !question.needs_moves(row);
}

bool fits_moves(const PlanQuery& question, const Row& row) { return question.needs_moves(row); }
bool fits_all(const PlanQuery& /*question*/, const Row& /*row*/) { return true; }
bool fits_grid(const PlanQuery& question, const Row& /*row*/) { return question.query.options.tune; }

void solve_by_search(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  search_rows(question.query, {.effort = effort_of(question.query.options)}, rows, found);
}

// clang-format off
constexpr std::array rows_of_catalogue = {
    SolverRow{.name = "linear", .choice = Solver::exact, .proves = true, .is_pruned = true, .fits = fits_linear, .solve = solve_linear},
    SolverRow{.name = "cells", .choice = Solver::exact, .proves = true, .is_pruned = true, .fits = fits_cells, .solve = solve_cells},
    SolverRow{.name = "climb", .choice = Solver::search, .is_pruned = true, .fits = fits_climb, .solve = solve_by_climbs},
    SolverRow{.name = "moves", .choice = Solver::search, .lists_moves = true, .is_pruned = true, .fits = fits_moves, .solve = solve_by_moves},
    SolverRow{.name = "search", .choice = Solver::search, .is_refined = true, .is_pruned = true, .fits = fits_all, .solve = solve_by_search},
    SolverRow{.name = "grid", .choice = Solver::apg, .moves_all = true, .fits = fits_grid, .solve = solve_by_grid},
    SolverRow{.name = "apg", .choice = Solver::apg, .moves_all = true, .fits = fits_all, .solve = solve_by_apg},
};
// clang-format on

}  // namespace

// With solver = exact, rows that no exact solver fits are searched.
bool is_admitted(const Options& o, const SolverRow& solver) {
  if (o.solver == Solver::automatic) return solver.moves_all == (o.sparsity != SparsityKind::top_m);
  return solver.choice == o.solver || (o.solver == Solver::exact && solver.choice == Solver::search);
}

PlanQuery PlanQuery::with(const Query& other) const {
  PlanQuery question(other);
  question.always_moves_ = always_moves_;
  return question;
}

RowCheck& PlanQuery::check() {
  if (!check_) check_ = std::make_unique<RowCheck>(query, 1);
  return *check_;
}

bool PlanQuery::climbs_first() const {
  return query.options.solver == Solver::automatic && query.fitted.space.features() > moderate_features;
}

bool PlanQuery::needs_moves(const Row& row) const {
  if (row.demand.depends_on_values()) return true;
  // The search over numbers takes inequalities as cuts of its small problems.
  if (row.links != nullptr && (!row.links->are_inequalities() || climbs_first())) return true;
  // The closest point by lengths is a vertex, where one number takes all that its step leaves over. Tables
  // solve the finest number again for every rounding of the others.
  if (!query.fitted.space.proximity().squared && query.fitted.space.features() <= moderate_features)
    return true;
  if (!always_moves_)
    always_moves_ = has_listed_features(query.fitted.space, query.fitted.features) ||
                    is_flat(query);  // last, since it evaluates the model
  return *always_moves_;
}

std::span<const SolverRow> solver_catalogue() { return rows_of_catalogue; }

const SolverRow& solver_for(const PlanQuery& question, const Row& row) {
  return *std::ranges::find_if(rows_of_catalogue, [&](const SolverRow& solver) {
    return is_admitted(question.query.options, solver) && solver.fits(question, row);
  });
}

namespace {

bool has_floor(const Options& o) { return o.density != DensityKind::none && o.plausible > 0; }

const SolverRow& first_admitted(const Options& options) {
  return *std::ranges::find_if(rows_of_catalogue,
                               [&](const SolverRow& solver) { return is_admitted(options, solver); });
}

}  // namespace

bool may_prove(const Model& model, const Options& o) {
  const bool exact = model.ensemble() != nullptr || (is_additive(model) && o.reach.empty());
  const bool admitted = std::ranges::any_of(
      rows_of_catalogue, [&](const SolverRow& solver) { return solver.proves && is_admitted(o, solver); });
  return exact && admitted && !has_floor(o);
}

bool may_improve_proof(const Options& o) { return o.solver == Solver::automatic; }

void check_solver(const Model& model, const Options& o) {
  if (o.solver == Solver::search && o.sparsity != SparsityKind::top_m)
    throw Error("sparsity", "top_m with solver search", "'" + std::string(name_of(o.sparsity)) + "'");
  if (o.solver != Solver::exact) return;
  const bool trees = model.ensemble() != nullptr;
  if (o.sparsity != SparsityKind::top_m || (!trees && model.linear() == nullptr && !is_additive(model)))
    throw Error("solver",
                "auto, search or apg (exact is for tree ensembles and linear scores under a limit m)",
                "exact");
  if (trees) return;
  for (const auto& [unknown, what] : {std::pair{model.scores() > 1, "several classes"},
                                      {has_floor(o), "a floor (plausible 0 has none)"},
                                      {!o.reach.empty(), "a range to reach"},
                                      {o.answers > 1, "several answers"},
                                      {o.robust > 0, "robust answers"}})
    if (unknown)
      throw Error("solver", std::string("auto or search where a linear score meets ") + what, "exact");
}

bool moves_all(const Options& options) { return first_admitted(options).moves_all; }
bool is_pruned(const Options& options) { return first_admitted(options).is_pruned; }

std::size_t fewest_changes(const Query& query, const Row& row) {
  const auto most = static_cast<std::size_t>(query.options.max_changes);
  std::size_t fewest = 0;
  if (row.floor && query.has_density())
    if (std::optional<Separable> separable = query.density().separable(row.anchor)) {
      const ReachableDensity reach(std::move(*separable), reachable(query.fitted.space, row));
      const std::vector<double> bounds = reach.by_changes(most);
      while (fewest <= most && bounds[fewest] + ReachableDensity::rounding(bounds[fewest]) < *row.floor)
        ++fewest;
    }
  if (!fits_cells(PlanQuery(query), row)) return fewest;
  const ExactOptions options = exact_options(query);
  return std::max(fewest, ExactSolver(exact_job(query, options)).fewest_changes(row));
}

SearchOptions effort_of(const Options& o) {
  return {.max_changes = o.max_changes,
          .fewest_first = o.fewest_first,
          .beam = o.beam,
          .screen = o.screen,
          .sweeps = o.sweeps,
          .rounds = o.rounds,
          .keep_beam = o.path};
}

void solve_by_moves(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  search_rows(question.query, {.effort = effort_of(question.query.options), .tables = true}, rows, found);
}

}  // namespace scfe
