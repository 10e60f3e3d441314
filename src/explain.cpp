#include "explain.h"

#include <algorithm>
#include <cmath>

#include "actionability/limits.h"
#include "solver/apg_rows.h"
#include "solver/grid.h"
#include "solver/search.h"
#include "solver/write_rows.h"
#include "sparsity/prox.h"
#include "support/text.h"

namespace scfe {
namespace {

// Up to this many features every support can be looked at; above, apg says which are worth it.
constexpr std::size_t moderate_features = 64;

struct Group {
  const Setting& setting;
  const Options& options;
  const Wished& wished;
  std::span<const Instance> instances;
  Deadline deadline;
  Pool& pool;
};

SearchOptions search_options(const Group& group) {
  const Options& o = group.options;
  return {.max_changes = o.max_changes,
          .fewest_first = o.fewest_first,
          .margin = group.wished.validity.required(),
          .beam = o.beam,
          .screen = o.screen,
          .sweeps = o.sweeps,
          .rounds = o.rounds};
}

void run_search(const Group& group, std::span<const std::vector<std::vector<int>>> seeds,
                std::span<Found> found) {
  const bool with_density = group.options.density != "none";
  const SearchOptions options = search_options(group);
  search_rows({group.wished, options, group.setting.weight, group.setting.writing, with_density, seeds,
               group.deadline},
              group.instances, found, group.pool);
}

std::vector<ApgFound> run_apg(const Group& group, const Wished& wished, const Options& o,
                              std::size_t keep_supports) {
  const std::unique_ptr<Prox> prox =
      make_prox(o.sparsity, {.beta = o.beta, .max_changes = o.max_changes, .group = {}});
  const ApgOptions options{.iterations = o.iterations,
                           .sections = o.sections,
                           .step = o.step,
                           .rule = o.step_rule == "paper" ? StepRule::paper : StepRule::backtracking,
                           .keep = o.keep_best ? Keep::best : Keep::last};
  Weights weights;
  weights.proximity = SquaredL2({group.setting.weight.begin(), group.setting.weight.end()});
  weights.loss = &find_loss(o.loss);
  weights.tau = o.density == "none" ? 0 : o.tau;
  weights.watch_density = o.density != "none" && o.plausible > 0;
  std::vector<ApgFound> found(group.instances.size());
  apg_rows({wished, weights, *prox, options, keep_supports, group.deadline}, group.instances, found,
           group.pool);
  return found;
}

std::vector<Found> write(const Group& group, std::span<const ApgFound> points) {
  std::vector<Found> found(points.size());
  write_rows({group.wished, group.setting.writing, group.wished.validity.required()}, group.instances, points,
             found);
  return found;
}

// Many features: a short apg run tells which supports are worth a polish.
void run_hybrid(const Group& group, std::span<Found> found) {
  Options brief = group.options;
  brief.sparsity = "top_m";
  brief.iterations = 60;
  constexpr std::size_t supports_to_polish = 8;
  std::vector<ApgFound> points = run_apg(group, group.wished, brief, supports_to_polish);
  std::vector<std::vector<std::vector<int>>> seeds;
  for (ApgFound& point : points) seeds.push_back(std::move(point.supports));
  run_search(group, seeds, found);
  const std::vector<Found> plain =
      write(group, points);  // what apg itself found, where polishing found nothing
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t gradients = found[i].gradients + points[i].gradients;
    const bool answered = plain[i].status == Status::valid || plain[i].status == Status::below_floor;
    if (answered && (found[i].status == Status::not_found || found[i].status == Status::time_limit))
      found[i] = plain[i];
    found[i].gradients = gradients;
  }
}

double squared_distance(const Group& group, std::size_t row, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double w = group.setting.scaling.to_work(j, x[j]) - group.instances[row].factual[j];
    sum += group.setting.weight[j] * w * w;
  }
  return sum;
}

// The paper's grid over beta, tau and k for the penalised forms; each row keeps its own best, judged as
// it would be written and under one density.
std::vector<ApgFound> run_grid(const Group& group) {
  const Setting& setting = group.setting;
  GridOptions axes;
  if (!setting.neighbour_grid.empty()) axes.k = {3, 4, 5};
  std::vector<std::size_t> gradients(group.instances.size());
  std::vector<char> timed_out(group.instances.size()), not_finite(group.instances.size());
  const auto run = [&](const GridPoint& point) {
    Options options = group.options;
    options.beta = point.beta;
    options.tau = point.tau;
    const FittedDensity& fitted =
        point.k > 0 ? setting.neighbour_grid[static_cast<std::size_t>(point.k - 3)] : setting.density;
    const std::vector<ApgFound> points =
        run_apg(group, {setting.model, setting.scaling, group.wished.validity, *fitted.density}, options, 0);
    const std::vector<Found> found = write(group, points);
    std::vector<Outcome> outcomes(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      gradients[i] += points[i].gradients;
      timed_out[i] |= points[i].timed_out;
      not_finite[i] |= !points[i].finite;
      outcomes[i].valid = points[i].valid && found[i].status != Status::not_found;
      for (std::size_t j = 0; j < found[i].x.size(); ++j)
        outcomes[i].changes += found[i].x[j] != group.instances[i].original[j];
      outcomes[i].log_density = found[i].log_density;
      outcomes[i].distance = squared_distance(group, i, found[i].x);
      outcomes[i].w.assign(points[i].w.begin(), points[i].w.end());
    }
    return outcomes;
  };
  std::vector<ApgFound> best(group.instances.size());
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

void run_solver(const Group& group, std::span<Found> found) {
  const Options& o = group.options;
  const bool exact_limit = o.sparsity == "top_m";
  const bool moderate = group.wished.model.features() <= moderate_features;
  if (o.solver == "search" || (o.solver == "auto" && exact_limit && moderate))
    return run_search(group, {}, found);
  if (o.solver == "auto" && exact_limit) return run_hybrid(group, found);
  const std::vector<ApgFound> points = o.tune ? run_grid(group) : run_apg(group, group.wished, o, 0);
  std::vector<Found> answers = write(group, points);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    found[i] = std::move(answers[i]);
    if (!points[i].finite && found[i].status == Status::not_found) found[i].status = Status::not_finite;
    if (points[i].timed_out && found[i].status == Status::not_found) found[i].status = Status::time_limit;
  }
}

Instance make_instance(const Setting& setting, std::span<const double> row,
                       const std::optional<double>& floor) {
  Instance instance;
  instance.original.assign(row.begin(), row.end());
  instance.floor = floor;
  std::vector<float> factual;
  for (std::size_t j = 0; j < row.size(); ++j) {
    instance.factual.push_back(setting.scaling.to_work(j, row[j]));
    factual.push_back(static_cast<float>(instance.factual.back()));
  }
  instance.anchor.resize(row.size());
  setting.density.density->anchor(factual, instance.anchor);
  set_limits(setting.features, setting.scaling, instance);
  return instance;
}

std::string reason_of(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                      double required) {
  switch (found.status) {
    case Status::below_floor:
      return "valid, but only as typical as " +
             number(100 * quantile_of(setting.density, found.log_density)) + " % of the class; " +
             number(100 * o.plausible) + " % were asked for";
    case Status::not_found: {
      const std::string limits =
          blocking_limits(setting.features, instance, found.nearest_support, found.nearest_w);
      std::string text = "no counterfactual";
      if (o.sparsity == "top_m") text += " with at most " + std::to_string(o.max_changes) + " changes";
      if (!found.nearest_support.empty() && found.margin < required)
        text += "; the closest misses by " + number(required - found.margin) + " logits";
      return limits.empty() ? text : text + "; limits that block: " + limits;
    }
    case Status::time_limit:
      return "time was up before a counterfactual was found";
    case Status::not_finite:
      return "the model or the density is not finite at this row";
    case Status::already:
      return "already in the wished class";
    case Status::valid:
      break;
  }
  return found.timed_out ? "time was up: a closer one may exist" : "";
}

Explanation describe(const Setting& setting, const Options& o, const Instance& instance, const Found& found,
                     double required) {
  Explanation e;
  e.status = found.status;
  e.reason = reason_of(setting, o, instance, found, required);
  e.counterfactual = found.x;
  e.margin = found.margin;
  if (o.density != "none") {
    e.log_density = e.found() ? found.log_density : 0;
    e.quantile = e.found() ? quantile_of(setting.density, found.log_density) : 0;
  }
  e.gradients = found.gradients;
  e.timed_out = found.timed_out;
  double square = 0;
  for (std::size_t j = 0; j < found.x.size(); ++j) {
    if (found.x[j] == instance.original[j]) continue;
    const double w = setting.scaling.to_work(j, found.x[j]) - instance.factual[j];
    e.changes.push_back({j, instance.original[j], found.x[j]});
    e.l1 += std::abs(w);
    square += w * w;
  }
  e.l2 = std::sqrt(square);
  return e;
}

}  // namespace

void explain_rows(const Setting& setting, const Options& options, const RowsOfTarget& rows, Deadline deadline,
                  Pool& pool, std::span<Explanation> explanations) {
  Wish wish{.target = rows.target, .margin = options.margin, .probability = {}};
  if (options.probability > 0) wish.probability = options.probability;
  const Validity validity(setting.model.scores(), wish);
  const Wished wished{setting.model, setting.scaling, validity, *setting.density.density};
  std::optional<double> floor;
  if (options.density != "none" && options.plausible > 0)
    floor = floor_at(setting.density, options.plausible);

  std::vector<Instance> instances;
  for (const std::size_t row : rows.index)
    instances.push_back(make_instance(setting, rows.factuals[row], floor));
  std::vector<Found> found(instances.size());
  run_solver({setting, options, wished, instances, deadline, pool}, found);
  for (std::size_t i = 0; i < found.size(); ++i)
    explanations[rows.index[i]] = describe(setting, options, instances[i], found[i], validity.required());
}

}  // namespace scfe
