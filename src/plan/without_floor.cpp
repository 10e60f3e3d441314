#include "plan/without_floor.h"

#include <utility>
#include <vector>

#include "plan/run_search.h"
#include "solver/search/axis.h"
#include "solver/written/row_check.h"

namespace scfe {
namespace {

constexpr double few = 0.02, loose = 0.25;  // of the class: as typical as so many of its rows

bool is_faint(const Problem& problem, const Instance& instance, const Found& found) {
  const FittedDensity& density = problem.setting.density;
  if (found.status != Status::below_floor || problem.options.path || problem.options.answers > 1)
    return false;
  if (problem.setting.space.features() > moderate_features) return false;
  const double asked = quantile_of(density, *instance.floor);
  return few < asked && asked < loose && quantile_of(density, found.log_density) < few;
}

double squared_distance(const Space& space, const Instance& instance, const Found& found) {
  double sum = 0;
  for (std::size_t f = 0; f < found.values.size(); ++f)
    sum += space.cost(f, instance.values[f], found.values[f]);
  return sum;
}

// Takes `other` for a row that was asked without its floor, unless what there is lies closer.
void take(const Problem& problem, const Instance& instance, Found&& other, Found& own) {
  const std::size_t gradients = own.gradients + other.gradients;
  const Space& space = problem.setting.space;
  const bool closer = own.status == Status::not_found ||
                      squared_distance(space, instance, other) < squared_distance(space, instance, own);
  if (other.status == Status::valid && closer) {
    const Instance* asked = &instance;
    const Checked checked = RowCheck(problem.wished, 1)({&asked, 1}, {other.values})[0];
    own = std::move(other);
    own.log_density = checked.log_density;
    own.status = checked.meets_floor ? Status::valid : Status::below_floor;
  }
  own.gradients = gradients;
}

// The rows at these places without their floors.
void ask_again(const Problem& problem, const Options& options, std::span<const std::size_t> places,
               std::span<Found> found) {
  if (places.empty()) return;
  std::vector<Instance> instances;
  for (const std::size_t i : places) instances.emplace_back(problem.instances[i]).floor.reset();
  const Problem rest{problem.setting, options,          problem.wished, problem.target,
                     instances,       problem.deadline, problem.pool};
  std::vector<Found> other(places.size());
  solve(rest, other);
  for (std::size_t k = 0; k < places.size(); ++k)
    take(problem, problem.instances[places[k]], std::move(other[k]), found[places[k]]);
}

}  // namespace

void ask_without_floor(const Problem& problem, std::span<Found> found) {
  if (problem.options.density == DensityKind::none || is_past(problem.deadline)) return;
  std::vector<std::size_t> missing, faint;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Instance& instance = problem.instances[i];
    if (!instance.floor || instance.strict || instance.is_further()) continue;
    if (found[i].status == Status::not_found && !found[i].proven) missing.push_back(i);
    if (is_faint(problem, instance, found[i])) faint.push_back(i);
  }
  if (!missing.empty() && needs_tables(problem)) ask_again(problem, problem.options, missing, found);
  Options closest = problem.options;
  closest.fewest_first = false;
  ask_again(problem, closest, faint, found);
}

}  // namespace scfe
