#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <memory>

#include "plan/many_features.h"
#include "plan/retry.h"
#include "solver/search/axis.h"
#include "solver/written/row_check.h"

namespace scfe {
namespace {

// ------- Which rows are solved again.

bool is_valid_further_answer(const Question& question, const Row& row, const Found& found) {
  return row.demand.is_further() && found.status == Status::valid && solver_for(question, row).is_refined;
}

// Answers below the floor were seen to suffer from dead ends only where there are rules.
bool is_lost_in_tables(const Question& question, const Row& row, const Found& found) {
  if (row.demand.is_further() || question.has_many_features() || !solver_for(question, row).lists_moves)
    return false;
  return found.status == Status::not_found || (found.status == Status::below_floor && row.links != nullptr);
}

bool lacks_a_guide(const Question& question, const Row& row, const Found& found) {
  return question.query.has_density() && !row.floor && is_lost_in_tables(question, row, found);
}

// No wide beam for tree ensembles, for which expanding one candidate takes milliseconds.
bool may_search_widely(const Question& question, const Row& row, const Found& found) {
  return question.query.fitted.model.ensemble() == nullptr && is_lost_in_tables(question, row, found);
}

bool may_search_widely_guided(const Question& question, const Row& row, const Found& found) {
  return may_search_widely(question, row, found) && lacks_a_guide(question, row, found);
}

// The solver "cells" tries only some values within a cell. The search, which is free to choose any number,
// may find an answer between them; where there is none at all, it tells how close a row comes.
bool is_open_after_proof(const Question& question, const Row& row, const Found& found) {
  if (!solver_for(question, row).proves) return false;
  const bool less_typical =
      question.query.options.solver == Solver::automatic && row.floor && found.status == Status::below_floor;
  return less_typical || found.status == Status::not_found;
}

bool is_open_in_many_tables(const Question& question, const Row& row, const Found& found) {
  return question.has_many_features() && found.status == Status::not_found && !row.demand.is_further() &&
         solver_for(question, row).lists_moves;
}

bool is_open_in_many_numbers(const Question& question, const Row& row, const Found& found) {
  return question.has_many_features() && found.status == Status::not_found && !row.demand.is_further() &&
         !question.query.fitted.space.has_categories() && !solver_for(question, row).proves;
}

bool heeds_floor(const Question& question, const Row& row) {
  return question.query.options.sparsity == SparsityKind::top_m && !moves_all(question.query.options) &&
         question.query.has_density() && row.floor && !row.demand.strict && !row.demand.is_further();
}

constexpr double few = 0.02, loose = 0.25;  // shares of the class

// True if the answer is less typical than nearly all rows of the class, although the floor is low. So far out
// the density says little more than which training row is nearest.
bool is_hardly_typical(const Question& question, const Row& row, const Found& found) {
  const Query& query = question.query;
  if (!heeds_floor(question, row) || found.status != Status::below_floor) return false;
  if (query.options.path || query.options.answers > 1) return false;
  if (query.fitted.space.features() > moderate_features) return false;
  const double asked = quantile_of(query.fitted.density, *row.floor);
  return few < asked && asked < loose && quantile_of(query.fitted.density, found.log_density) < few;
}

bool is_unproven_failure(const Question& question, const Row& row, const Found& found) {
  return heeds_floor(question, row) && found.status == Status::not_found && !found.proven &&
         question.needs_tables(row);
}

// ------- What differs from the first attempt.

void widen(Options& options) {
  options.beam = std::max(options.beam, 32);
  options.screen = std::max(options.screen, 48);
}

void want_the_closest(Options& options) { options.fewest_first = false; }

void begin_at_answer(const Query& query, const Found& found, Row& row) {
  row.warm_start = std::make_shared<const WarmStart>(
      WarmStart{.changes = static_cast<std::size_t>(query.options.max_changes),
                .answer = found.values,
                .beam = {found.values}});
}

// A floor makes the search prefer typical candidates, so that it visits others than before.
void guide_by_density(const Query& query, const Found& /*found*/, Row& row) {
  row.floor = floor_at(query.fitted.density, 0.1);
}

void insist_on_floor(const Query& /*query*/, const Found& /*found*/, Row& row) {
  row.demand.strict = row.floor.has_value();
}

void drop_floor(const Query& /*query*/, const Found& /*found*/, Row& row) { row.floor.reset(); }

// ------- Which of two answers is kept.

bool if_valid(const Query& /*query*/, const Row& /*row*/, Found& /*own*/, Found& other) {
  return other.status == Status::valid;
}

// The floor of guide_by_density is not part of the question, so an answer below it is valid.
bool if_answered(const Query& /*query*/, const Row& /*row*/, Found& /*own*/, Found& other) {
  if (!other.answered()) return false;
  other.status = Status::valid;
  return true;
}

bool if_answered_or_closer(const Query& /*query*/, const Row& /*row*/, Found& own, Found& other) {
  const bool nothing = other.status == Status::not_found || other.status == Status::time_limit;
  return !nothing || other.margin > own.margin;
}

bool if_more_typical(const Query& query, const Row& /*row*/, Found& own, Found& other) {
  const bool below = own.status == Status::below_floor;
  const bool better = other.status == Status::valid || (other.status == Status::below_floor &&
                                                        (!below || other.log_density > own.log_density));
  if (better && query.options.solver == Solver::automatic && (below || !own.proven)) return true;
  if (!below && other.status == Status::not_found) {
    own.margin = other.margin;
    own.nearest_support = std::move(other.nearest_support);
    own.nearest_w = std::move(other.nearest_w);
  }
  return false;
}

// The new answer was found without the row's floor, so the floor is checked here.
bool if_closer(const Query& query, const Row& row, Found& own, Found& other) {
  if (other.status != Status::valid) return false;
  const auto cost = [&](const Found& found) { return query.fitted.space.cost(row.values, found.values); };
  if (own.status != Status::not_found && !(cost(other) < cost(own))) return false;
  const Row* asked = &row;
  const Checked checked = RowCheck(query, 1)({&asked, 1}, {other.values})[0];
  other.log_density = checked.log_density;
  other.status = checked.meets_floor ? Status::valid : Status::below_floor;
  return true;
}

// ------- The table.

void search_again(const Question& question, std::span<const Row> rows, std::span<Found> found);
void solve_again(const Question& question, std::span<const Row> rows, std::span<Found> found) {
  solve(question.query, rows, found);
}

// clang-format off
// What a search may still try by itself.
constexpr std::array search_stages = {
    // name                    which rows                 options           row               solver              which is kept
    PlanStage{"refine further",    is_valid_further_answer,   nullptr,          begin_at_answer,  solve_by_tables,    if_valid},
    PlanStage{"guided",            lacks_a_guide,             nullptr,          guide_by_density, solve_by_tables,    if_answered},
    PlanStage{"wide",              may_search_widely,         widen,            insist_on_floor,  solve_by_tables,    if_valid},
    PlanStage{"wide and guided",   may_search_widely_guided,  widen,            guide_by_density, solve_by_tables,    if_answered},
};
constexpr std::array later_stages = {
    PlanStage{"between cells",     is_open_after_proof,       nullptr,          nullptr,          search_again,       if_more_typical},
    PlanStage{"brief apg",         is_open_in_many_tables,    nullptr,          nullptr,          solve_by_brief_apg, if_answered_or_closer},
    PlanStage{"corners",           is_open_in_many_numbers,   nullptr,          nullptr,          solve_by_corners,   if_answered_or_closer},
    PlanStage{"closest",           is_hardly_typical,         want_the_closest, drop_floor,       solve_again,        if_closer},
    PlanStage{"without the floor", is_unproven_failure,       nullptr,          drop_floor,       solve_again,        if_closer},
};
// clang-format on

void walk(std::span<const PlanStage> stages, const Question& question, std::span<const Row> rows,
          std::span<Found> found) {
  const Query& query = question.query;
  for (const PlanStage& stage : stages) {
    if (is_past(query.deadline)) return;
    retry(
        rows, found, [&](const Row& row, const Found& own) { return stage.applies(question, row, own); },
        [&](const std::vector<std::size_t>& places) {
          Options options = query.options;
          if (stage.change_options) stage.change_options(options);
          std::vector<Row> asked;
          for (const std::size_t i : places) {
            asked.push_back(rows[i]);
            if (stage.change_row) stage.change_row(query, found[i], asked.back());
          }
          const Query other = query.with(options);
          std::vector<Found> answers(asked.size());
          stage.solve(Question(other), asked, answers);
          return answers;
        },
        [&](const Row& row, Found& own, Found& other) { return stage.keeps(query, row, own, other); });
  }
}

// Solves each row by the first solver that fits it.
void solve_each(const Question& question, std::span<const Row> rows, std::span<Found> found) {
  std::vector<const SolverRow*> chosen;
  for (const Row& row : rows) chosen.push_back(&solver_for(question, row));
  for (const SolverRow& solver : solver_catalogue()) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (chosen[i] == &solver) places.push_back(i);
    if (places.size() == rows.size()) return solver.solve(question, rows, found);
    if (places.empty()) continue;
    std::vector<Row> own;
    for (const std::size_t i : places) own.push_back(rows[i]);
    std::vector<Found> answers(own.size());
    solver.solve(question, own, answers);
    for (std::size_t k = 0; k < places.size(); ++k) found[places[k]] = std::move(answers[k]);
  }
}

// Solves the rows as if options.solver were `search`.
void search_again(const Question& question, std::span<const Row> rows, std::span<Found> found) {
  Options options = question.query.options;
  options.solver = Solver::search;
  const Query query = question.query.with(options);
  const Question search(query);
  solve_each(search, rows, found);
  walk(search_stages, search, rows, found);
}

}  // namespace

void solve(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const Question question(query);
  solve_each(question, rows, found);
  walk(search_stages, question, rows, found);
  walk(later_stages, question, rows, found);
}

}  // namespace scfe
