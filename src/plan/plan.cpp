#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <memory>

#include "plan/many_features.h"
#include "plan/relaxation.h"
#include "plan/retry.h"
#include "query/floor_order.h"
#include "solver/search/axis.h"

namespace scfe {
namespace {

// ------- Which rows are solved again.

bool is_valid_further_answer(const PlanQuery& question, const Row& row, const Found& found) {
  return row.demand.is_further() && !row.demand.most_plausible && found.status == Status::valid &&
         solver_for(question, row).is_refined;
}

// A row that misses its floor is asked again without it (stage "most plausible"). Only if it has rules is it
// searched more widely before that, because rules lead this solver into dead ends.
bool is_lost_in_moves(const PlanQuery& question, const Row& row, const Found& found) {
  if (row.demand.is_further() || question.climbs_first() || !solver_for(question, row).lists_moves)
    return false;
  return found.status == Status::not_found && (!row.floor || row.links != nullptr);
}

bool lacks_a_guide(const PlanQuery& question, const Row& row, const Found& found) {
  return question.query.has_density() && !row.floor && is_lost_in_moves(question, row, found);
}

// No wide beam for tree ensembles, for which expanding one candidate takes milliseconds.
bool may_search_widely(const PlanQuery& question, const Row& row, const Found& found) {
  return question.query.fitted.model.ensemble() == nullptr && is_lost_in_moves(question, row, found);
}

bool may_search_widely_guided(const PlanQuery& question, const Row& row, const Found& found) {
  return may_search_widely(question, row, found) && lacks_a_guide(question, row, found);
}

// True if it is known that there is no answer.
bool has_none(const Row& row, const Found& found) {
  if (found.status != Status::not_found) return false;
  if (row.floor) return found.out_of_reach;
  return found.proven && !row.demand.is_further() && !row.demand.depends_on_values();
}

// One search tells how close the row comes. What is found for a row whose floor is out of reach is replaced
// by what is found without the floor.
bool wants_the_nearest(const PlanQuery& question, const Row& row, const Found& found) {
  return solver_for(question, row).proves && !row.floor && has_none(row, found) &&
         !question.query.answers_only;
}

// The solver "cells" tries only some values within a cell. The search, which is free to choose any number,
// may find an answer between them, or a more plausible one.
bool is_open_after_proof(const PlanQuery& question, const Row& row, const Found& found) {
  if (!solver_for(question, row).proves) return false;
  const bool improves = may_improve_proof(question.query.options);
  if (has_none(row, found)) return false;
  if (row.demand.most_plausible) return improves || !found.answered();
  return found.status == Status::not_found && (improves || !row.floor);
}

bool is_open_in_many_moves(const PlanQuery& question, const Row& row, const Found& found) {
  return question.climbs_first() && found.status == Status::not_found && !row.floor &&
         !row.demand.is_further() && solver_for(question, row).lists_moves;
}

bool is_open_in_many_numbers(const PlanQuery& question, const Row& row, const Found& found) {
  return question.climbs_first() && found.status == Status::not_found && !row.floor &&
         !row.demand.is_further() && !question.query.fitted.space.has_categories() &&
         !solver_for(question, row).proves;
}

// The paper's algorithm maximises log q by itself, and its best iterate is its answer.
bool misses_floor(const PlanQuery& question, const Row& row, const Found& found) {
  if (found.out_of_reach && question.query.answers_only && row.below_floor == BelowFloor::none) return false;
  return row.floor && question.query.has_density() && found.status == Status::not_found &&
         !moves_all(question.query.options);
}

bool wants_closest_anyhow(const PlanQuery& /*question*/, const Row& row, const Found& found) {
  return found.best_log_density && found.status == Status::below_floor &&
         row.below_floor == BelowFloor::closest;
}

bool is_most_plausible_below_floor(const PlanQuery& /*question*/, const Row& row, const Found& found) {
  return found.best_log_density && found.status == Status::below_floor &&
         row.below_floor == BelowFloor::most_plausible;
}

bool is_most_plausible_of_few(const PlanQuery& question, const Row& row, const Found& found) {
  const bool given = found.status == Status::valid || row.below_floor == BelowFloor::most_plausible;
  return found.best_log_density && found.answered() && given && !question.climbs_first() &&
         !row.demand.is_further();
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
  row.demand.most_plausible = false;
}

// The warm start was found under the old floor, so it is dropped too.
void drop_floor(const Query& /*query*/, const Found& /*found*/, Row& row) {
  row.floor.reset();
  row.warm_start.reset();
}

void maximise_density(const Query& query, const Found& found, Row& row) {
  drop_floor(query, found, row);
  row.demand.most_plausible = true;
}

// Asks for the closest answer above the floor in force (query/floor_order.h).
void lower_floor(const Query& query, const Found& found, Row& row) {
  row.floor = floor_order(query, row).in_force(*found.best_log_density);
  row.below_floor = BelowFloor::none;
  row.warm_start.reset();
}

void begin_above_lower_floor(const Query& query, const Found& found, Row& row) {
  lower_floor(query, found, row);
  begin_at_answer(query, found, row);
}

// ------- Which of two answers is kept.

bool if_valid(PlanQuery& /*question*/, const Row& /*row*/, Found& /*own*/, Found& other) {
  return other.status == Status::valid;
}

// The floor of guide_by_density is not part of the question, so an answer below it is valid.
bool if_answered(PlanQuery& /*question*/, const Row& /*row*/, Found& /*own*/, Found& other) {
  if (!other.answered()) return false;
  other.status = Status::valid;
  return true;
}

bool if_answered_or_closer(PlanQuery& /*question*/, const Row& /*row*/, Found& own, Found& other) {
  const bool nothing = other.status == Status::not_found || other.status == Status::time_limit;
  return !nothing || other.margin > own.margin;
}

bool if_more_plausible(PlanQuery& question, const Row& row, Found& own, Found& other) {
  if (other.answered() && may_improve_proof(question.query.options)) {
    if (own.answered()) return row.demand.most_plausible && other.log_density > own.log_density;
    if (!own.proven || row.floor || row.demand.most_plausible) return true;
  }
  if (!own.answered() && other.status == Status::not_found) {
    own.margin = other.margin;
    own.nearest_support = std::move(other.nearest_support);
    own.nearest_w = std::move(other.nearest_w);
  }
  return false;
}

// Sets the status of an answer that was found for another floor, or none.
void compare_with_floor(PlanQuery& question, const Row& row, Found& found) {
  if (!found.answered()) return;
  const Row* asked = &row;
  const Checked checked = question.check()({&asked, 1}, {found.values})[0];
  found.log_density = checked.log_density;
  found.status = checked.meets_floor ? Status::valid : Status::below_floor;
}

// The most plausible answer may reach the floor, although the search for the closest above it found none.
// Without an answer, what was found without the floor tells more about how close the row comes.
bool even_below_floor(PlanQuery& question, const Row& row, Found& own, Found& other) {
  compare_with_floor(question, row, other);
  if (other.answered()) other.best_log_density = other.log_density;
  other.proven = false;
  other.beam = std::move(own.beam);
  return true;
}

// `other` was found above the floor in force, as `own` was.
bool if_closer(PlanQuery& question, const Row& row, Found& own, Found& other) {
  const auto cost = [&](const Found& found) {
    return question.query.fitted.space.cost(row.values, found.values);
  };
  if (other.status != Status::valid || !(cost(other) < cost(own))) return false;
  compare_with_floor(question, row, other);
  other.best_log_density = own.best_log_density;
  other.proven = false;
  other.beam = std::move(own.beam);
  return true;
}

// ------- The table.

void search_once(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
void search_again(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found);
void solve_again(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  solve(question.query, rows, found);
}

// The guide's floor is not part of the question: where it cannot be met, the most plausible answer will do.
void solve_by_guided_moves(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  solve_by_moves(question, rows, found);
  retry(
      rows, found, [](const Row&, const Found& own) { return own.status == Status::not_found; },
      [&](const std::vector<std::size_t>& places) {
        std::vector<Row> asked;
        for (const std::size_t i : places) {
          asked.push_back(rows[i]);
          maximise_density(question.query, found[i], asked.back());
        }
        std::vector<Found> answers(asked.size());
        solve_by_moves(question, asked, answers);
        return answers;
      },
      [](const Row&, const Found&, const Found& other) { return other.answered(); });
}

// clang-format off
// What a search may still try by itself.
constexpr std::array search_stages = {
    // name                    which rows                 options           row                            solver                  which is kept
    PlanStage{"refine further",    is_valid_further_answer,   nullptr,          begin_at_answer,               solve_by_moves,        if_valid},
    PlanStage{"guided",            lacks_a_guide,             nullptr,          guide_by_density,              solve_by_guided_moves, if_answered},
    PlanStage{"wide",              may_search_widely,         widen,            nullptr,                       solve_by_moves,        if_valid},
    PlanStage{"wide and guided",   may_search_widely_guided,  widen,            guide_by_density,              solve_by_guided_moves, if_answered},
};
constexpr std::array later_stages = {
    PlanStage{"how close",         wants_the_nearest,         nullptr,          nullptr,                       search_once,            if_more_plausible},
    PlanStage{"between cells",     is_open_after_proof,       nullptr,          nullptr,                       search_again,           if_more_plausible},
    PlanStage{"brief apg",         is_open_in_many_moves,    nullptr,          nullptr,                       solve_by_brief_apg,     if_answered_or_closer},
    PlanStage{"corners",           is_open_in_many_numbers,   nullptr,          nullptr,                       solve_by_corners,       if_answered_or_closer},
    // Below the floor, by the order of query/floor_order.h.
    PlanStage{"most plausible",    misses_floor,              nullptr,          maximise_density,              solve_again,            even_below_floor},
    PlanStage{"closest",           wants_closest_anyhow,      nullptr,          drop_floor,                    solve_again,            even_below_floor},
    PlanStage{"closest of those",  is_most_plausible_below_floor, want_the_closest, lower_floor,                solve_again,            if_closer},
    PlanStage{"closest near it",   is_most_plausible_of_few,  nullptr,          begin_above_lower_floor,       solve_by_moves,        if_closer},
};
// clang-format on

void walk(std::span<const PlanStage> stages, PlanQuery& question, std::span<const Row> rows,
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
          stage.solve(question.with(other), asked, answers);
          return answers;
        },
        [&](const Row& row, Found& own, Found& other) {
          const bool kept = stage.merge(question, row, own, other);
          own.way.insert(own.way.end(), other.way.begin(), other.way.end());
          own.way.push_back({stage.name, kept});
          other.way = own.way;
          return kept;
        });
  }
}

// Solves each row by the first solver that fits it.
void solve_each(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  std::vector<const SolverRow*> chosen;
  for (const Row& row : rows) chosen.push_back(&solver_for(question, row));
  for (const SolverRow& solver : solver_catalogue()) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (chosen[i] == &solver) places.push_back(i);
    if (places.empty()) continue;
    if (places.size() == rows.size()) {
      solver.solve(question, rows, found);
      break;
    }
    std::vector<Row> own;
    for (const std::size_t i : places) own.push_back(rows[i]);
    std::vector<Found> answers(own.size());
    solver.solve(question, own, answers);
    for (std::size_t k = 0; k < places.size(); ++k) found[places[k]] = std::move(answers[k]);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) found[i].way = {{chosen[i]->name, true}};
}

// Solves the rows as if options.solver were `search`, without the stages of a search.
void search_once(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  Options options = question.query.options;
  options.solver = Solver::search;
  const Query query = question.query.with(options);
  solve_each(PlanQuery(query), rows, found);
}

// The same with them.
void search_again(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  Options options = question.query.options;
  options.solver = Solver::search;
  const Query query = question.query.with(options);
  PlanQuery search = question.with(query);
  solve_each(search, rows, found);
  walk(search_stages, search, rows, found);
}

// Solves the rows under all of their rules.
void solve_under_rules(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  PlanQuery question(query);
  solve_each(question, rows, found);
  walk(search_stages, question, rows, found);
  walk(later_stages, question, rows, found);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (found[i].status != Status::below_floor || rows[i].below_floor != BelowFloor::none) continue;
    found[i].status = Status::not_found;
    found[i].values = rows[i].values;
    found[i].support.clear();
  }
}

}  // namespace

std::vector<PlanStage> plan_stages() {
  std::vector<PlanStage> all(search_stages.begin(), search_stages.end());
  all.insert(all.end(), later_stages.begin(), later_stages.end());
  return all;
}

void solve(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  if (!Relaxation::is_wider(query)) return solve_under_rules(query, rows, found);
  const Relaxation relaxed(query, rows);
  solve_under_rules(relaxed.query(), relaxed.rows(), found);
  retry(
      rows, found, [](const Row& row, const Found& own) { return !Relaxation::stands(row, own); },
      [&](const std::vector<std::size_t>& places) {
        std::vector<Row> asked;
        for (const std::size_t i : places) asked.push_back(rows[i]);
        std::vector<Found> answers(asked.size());
        solve_under_rules(query, asked, answers);
        return answers;
      },
      [](const Row&, const Found& own, Found& other) {
        other.way.insert(other.way.begin(), own.way.begin(), own.way.end());
        return true;
      });
}

}  // namespace scfe
