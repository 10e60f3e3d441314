#include "plan/many_features.h"

#include <algorithm>

#include "plan/paper.h"
#include "solver/climb/climb.h"
#include "solver/search/search.h"

namespace scfe {
namespace {

void climb_and_search(const PlanQuery& question, bool to_corners, std::span<const Row> rows,
                      std::span<Found> found) {
  const Query& query = question.query;
  std::vector<ApgFound> points;
  std::vector<std::vector<Start>> starts;
  for (Climbed& climbed : climb(query, rows, to_corners)) {
    points.push_back(std::move(climbed.point));
    starts.push_back(std::move(climbed.starts));
  }
  search_rows(query, {.effort = effort_of(query.options), .starts = starts}, rows, found);
  // Rows for which the search found nothing keep the best point of the climbs.
  const std::vector<Found> climbed = write_points(query, rows, points);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t gradients = found[i].gradients + points[i].gradients;
    const bool nothing = found[i].status == Status::not_found || found[i].status == Status::time_limit;
    if (nothing && climbed[i].status == Status::valid) found[i] = climbed[i];
    found[i].gradients = gradients;
  }
}

}  // namespace

void solve_by_climbs(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  climb_and_search(question, false, rows, found);
}

void solve_by_corners(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  climb_and_search(question, true, rows, found);
}

void solve_by_brief_apg(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  Options brief = question.query.options;
  brief.sparsity = SparsityKind::top_m;
  brief.iterations = 60;
  const Query query = question.query.with(brief);
  const std::vector<ApgFound> points = run_apg(query, rows);
  std::ranges::move(write_points(query, rows, points), found.begin());
}

}  // namespace scfe
