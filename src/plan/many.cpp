#include "plan/many.h"

#include <algorithm>

#include "plan/run_search.h"
#include "solver/climb/climb.h"

namespace scfe {
namespace {

// What stood before the search, where that has no answer.
void fall_back(const Problem& problem, std::span<const ApgFound> points, std::span<Found> found) {
  const std::vector<Found> plain = write_points(problem, points);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t gradients = found[i].gradients + points[i].gradients;
    const bool answered = plain[i].status == Status::valid || plain[i].status == Status::below_floor;
    if (answered && (found[i].status == Status::not_found || found[i].status == Status::time_limit))
      found[i] = plain[i];
    found[i].gradients = gradients;
  }
}

constexpr std::size_t starts_to_polish = 8;

// Many numbers: climbs say which are worth changing, the search goes on from there.
void run_climbs(const Problem& problem, bool to_corners, std::span<Found> found) {
  const ClimbJob job{problem.wished,
                     static_cast<std::size_t>(problem.options.max_changes),
                     problem.wished.validity.required(),
                     to_corners,
                     starts_to_polish,
                     problem.deadline};
  std::vector<ApgFound> points;
  std::vector<std::vector<Start>> starts;
  for (Climbed& climbed : climb(job, problem.instances, problem.pool)) {
    points.push_back(std::move(climbed.point));
    starts.push_back(std::move(climbed.starts));
  }
  run_search(problem, starts, found);
  fall_back(problem, points, found);
}

using Way = void (*)(const Problem& problem, std::span<Found> found);

// Rows that have no answer are asked in another way.
void ask_again(const Problem& problem, Way way, std::span<Found> found) {
  std::vector<std::size_t> open;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].status != Status::not_found) continue;
    open.push_back(i);
    instances.push_back(problem.instances[i]);
  }
  if (open.empty()) return;
  Problem rest = problem;
  rest.instances = instances;
  std::vector<Found> other(open.size());
  way(rest, other);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Found& own = found[open[k]];
    const std::size_t gradients = own.gradients + other[k].gradients;
    const bool nothing = other[k].status == Status::not_found || other[k].status == Status::time_limit;
    if (!nothing || other[k].margin > own.margin) own = std::move(other[k]);
    own.gradients = gradients;
  }
}

void run_brief_apg(const Problem& problem, std::span<Found> found) {
  Options brief = problem.options;
  brief.sparsity = SparsityKind::top_m;
  brief.iterations = 60;
  const std::vector<ApgFound> points = run_apg(problem, problem.wished, brief);
  std::ranges::move(write_points(problem, points), found.begin());
  for (std::size_t i = 0; i < found.size(); ++i) found[i].gradients = points[i].gradients;
}

}  // namespace

void run_many(const Problem& problem, std::span<Found> found) {
  // Climbs would come to the same again for further answers.
  if (std::ranges::any_of(problem.instances, &Instance::is_further)) return run_search(problem, {}, found);
  if (needs_tables(problem)) {
    const std::vector<std::vector<Start>> none(problem.instances.size());  // no second search in other ways
    run_search(problem, none, found);
    ask_again(problem, run_brief_apg, found);
  } else {
    run_climbs(problem, false, found);
  }
  if (!problem.setting.space.has_categories())  // validity alone, from corner to corner
    ask_again(
        problem, [](const Problem& rest, std::span<Found> other) { run_climbs(rest, true, other); }, found);
}

}  // namespace scfe
