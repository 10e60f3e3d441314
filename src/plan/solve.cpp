#include "plan/solve.h"

#include <algorithm>

#include "explainer/scoring.h"
#include "method/catalogue.h"
#include "plan/many.h"
#include "plan/run_search.h"
#include "plan/without_floor.h"
#include "scfe/error.h"
#include "solver/apg/grid.h"
#include "solver/exact/exact.h"
#include "solver/exact/linear.h"
#include "solver/search/axis.h"
#include "solver/written/row_check.h"
#include "solver/written/write_rows.h"

namespace scfe {

std::vector<Found> write_points(const Problem& problem, std::span<const ApgFound> points) {
  std::vector<Found> found(points.size());
  write_rows({problem.wished, problem.setting.writing, problem.wished.validity.required(),
              problem.options.sparsity == SparsityKind::top_m ? problem.options.max_changes : 0},
             problem.instances, points, found);
  return found;
}

namespace {

// One linear score without a floor is solved in closed form, feature by feature.
bool is_linear(const Problem& problem) {
  const Model& model = problem.setting.model;
  return model.linear() && model.scores() == 1 && problem.options.reach.empty() &&
         std::ranges::none_of(problem.instances, [](const Instance& row) {
           return row.floor || row.allowed || row.is_further() || row.extra_margin > 0;
         });
}

void run_linear(const Problem& problem, std::span<Found> found) {
  const Setting& setting = problem.setting;
  exact_linear_rows(
      {setting.model, setting.space, setting.writing, problem.options.max_changes,
       problem.options.fewest_first, problem.target, problem.wished.validity.required(), problem.deadline},
      problem.instances, found, problem.pool);
  if (problem.options.density == DensityKind::none) return;
  std::vector<const Instance*> asked;
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < found.size(); ++i) {
    asked.push_back(&problem.instances[i]);
    rows.push_back(found[i].values.empty() ? problem.instances[i].values : found[i].values);
  }
  const std::vector<Checked> checked = RowCheck(problem.wished)(asked, rows);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].log_density = checked[i].log_density;
}

// Under a floor the cells are tried at candidate values only: where none is typical enough, the search, whose
// numbers are free, may still find one. Where there is none at all it says how close one comes.
void look_between_candidates(const Problem& problem, std::span<Found> found) {
  std::vector<std::size_t> open;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Instance& instance = problem.instances[i];
    const bool less_typical = problem.options.solver == Solver::automatic && instance.floor &&
                              found[i].status == Status::below_floor;
    if (!less_typical && found[i].status != Status::not_found) continue;
    open.push_back(i);
    instances.push_back(instance);
  }
  if (open.empty()) return;
  std::vector<Found> other(open.size());
  Problem rest = problem;
  rest.instances = instances;
  run_search(rest, {}, other);
  for (std::size_t k = 0; k < open.size(); ++k) {
    Found& own = found[open[k]];
    const bool less = own.status == Status::below_floor;
    const bool better =
        other[k].status == Status::valid ||
        (other[k].status == Status::below_floor && (!less || other[k].log_density > own.log_density));
    if (better && problem.options.solver == Solver::automatic && (less || !own.proven)) {
      own = std::move(other[k]);
    } else if (!less && other[k].status == Status::not_found) {
      own.margin = other[k].margin;
      own.nearest_support = std::move(other[k].nearest_support);
      own.nearest_w = std::move(other[k].nearest_w);
    }
  }
}

// The cells of a tree ensemble are enumerated.
void run_cells(const Problem& problem, std::span<Found> found) {
  const Options& o = problem.options;
  ExactOptions options;
  options.max_changes = o.max_changes;
  options.fewest_first = o.fewest_first;
  options.target = problem.target;
  options.required = problem.wished.validity.required();
  options.by_probability = o.probability > 0;
  if (const std::optional<Reach> reach = score_reach(problem.setting.model, o.reach)) {
    options.lo = reach->lo;
    options.hi = reach->hi;
  }
  const Density* density = o.density == DensityKind::none ? nullptr : problem.setting.density.density.get();
  exact_rows({*problem.setting.model.ensemble(), problem.setting.space, problem.setting.writing, options,
              density, problem.deadline},
             problem.instances, found, problem.pool);
}

void run_exact(const Problem& problem, std::span<Found> found) {
  if (is_linear(problem))
    run_linear(problem, found);
  else if (problem.setting.model.ensemble() != nullptr)
    run_cells(problem, found);
  else
    throw Error("solver", "a tree ensemble, or one linear score without a floor, for exact", "another model");
  look_between_candidates(problem, found);
}

double squared_distance(const Problem& problem, std::size_t row, const std::vector<double>& values) {
  double sum = 0;
  for (std::size_t f = 0; f < values.size(); ++f)
    sum += problem.setting.space.cost(f, problem.instances[row].values[f], values[f]);
  return sum;
}

// The paper's grid over beta, tau and k for the penalised forms; each row keeps its own best, judged as
// it would be written and under one density.
std::vector<ApgFound> run_grid(const Problem& problem) {
  const Setting& setting = problem.setting;
  GridOptions axes;
  if (!setting.neighbour_grid.empty()) axes.k = {3, 4, 5};
  std::vector<std::size_t> gradients(problem.instances.size());
  std::vector<char> timed_out(problem.instances.size()), not_finite(problem.instances.size());
  const auto run = [&](const GridPoint& point) {
    Options options = problem.options;
    options.beta = point.beta;
    options.tau = point.tau;
    const FittedDensity& fitted =
        point.k > 0 ? setting.neighbour_grid[static_cast<std::size_t>(point.k - 3)] : setting.density;
    const std::vector<ApgFound> points =
        run_apg(problem, {setting.model, setting.space, problem.wished.validity, *fitted.density}, options);
    const std::vector<Found> found = write_points(problem, points);
    std::vector<Outcome> outcomes(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      gradients[i] += points[i].gradients;
      timed_out[i] |= points[i].timed_out;
      not_finite[i] |= !points[i].finite;
      outcomes[i].valid = points[i].valid && found[i].status != Status::not_found;
      for (std::size_t f = 0; f < found[i].values.size(); ++f)
        outcomes[i].changes += found[i].values[f] != problem.instances[i].values[f];
      outcomes[i].log_density = found[i].log_density;
      outcomes[i].distance = squared_distance(problem, i, found[i].values);
      outcomes[i].w.assign(points[i].w.begin(), points[i].w.end());
    }
    return outcomes;
  };
  std::vector<ApgFound> best(problem.instances.size());
  const std::vector<GridChoice> choices = grid_search(grid_points(axes), run);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    best[i].valid = best[i].meets_floor = choices[i].outcome.valid;
    best[i].w.assign(choices[i].outcome.w.begin(), choices[i].outcome.w.end());
    best[i].gradients = gradients[i];
    best[i].timed_out = timed_out[i];
    best[i].finite = !not_finite[i];
  }
  return best;
}

}  // namespace

void solve(const Problem& problem, std::span<Found> found) {
  const Options& o = problem.options;
  if (o.method != Method::scfe) return find_method(o.method).solve(problem, found);
  const bool exact_limit = o.sparsity == SparsityKind::top_m;
  const bool moderate = problem.setting.space.features() <= moderate_features;
  // Links between features leave the cells of an ensemble no one nearest value.
  const bool linked = !problem.setting.rules.links.empty() || !problem.setting.rules.derived.empty();
  if (o.solver == Solver::exact && linked)
    throw Error("solver", "search or auto where rules link features", "exact");
  const bool trees =
      problem.setting.model.ensemble() != nullptr && problem.setting.space.features() <= most_features;
  const bool proven = !linked && (trees || is_linear(problem));
  const bool exact = o.solver == Solver::exact || (o.solver == Solver::automatic && exact_limit && proven);
  if (exact || o.solver == Solver::search || (o.solver == Solver::automatic && exact_limit)) {
    if (exact)
      run_exact(problem, found);
    else if (o.solver == Solver::search || moderate)
      run_search(problem, {}, found);
    else
      run_many(problem, found);
    return ask_without_floor(problem, found);
  }
  const std::vector<ApgFound> points = o.tune ? run_grid(problem) : run_apg(problem, problem.wished, o);
  std::vector<Found> answers = write_points(problem, points);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    found[i] = std::move(answers[i]);
    if (!points[i].finite && found[i].status == Status::not_found) found[i].status = Status::not_finite;
    if (points[i].timed_out && found[i].status == Status::not_found) found[i].status = Status::time_limit;
  }
}

}  // namespace scfe
