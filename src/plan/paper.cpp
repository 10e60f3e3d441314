// Algorithm 1 for the rows of one wished class. Where levels are in play a second round: from the most
// promising vertices that iterates landed on, with those levels held, the numbers adapt.
#include <algorithm>
#include <memory>
#include <numeric>

#include "plan/solve.h"
#include "sparsity/prox.h"

namespace scfe {
namespace {

constexpr std::size_t vertices = 4;  // of a row that get a second round

// Everything but the rows and the limit on their changes.
struct Run {
  const Problem& problem;
  const Wished& wished;
  const Options& options;
};

Weights weights_of(const Run& run) {
  const Options& o = run.options;
  const Space& space = run.wished.space;
  Weights weights;
  std::vector<double> proximity(space.weight().begin(), space.weight().end());
  for (std::size_t j = 0; j < proximity.size(); ++j)
    if (space.is_category(space.feature_of(j)))
      proximity[j] = 0;  // levels have prices instead (apg_rows.cpp)
  weights.proximity = SquaredL2(proximity);
  weights.loss = &find_loss(o.loss);
  weights.tau = o.density == DensityKind::none ? 0 : o.tau;
  weights.watch_density =
      o.density != DensityKind::none &&
      std::ranges::any_of(run.problem.instances, [](const Instance& i) { return i.floor.has_value(); });
  return weights;
}

std::vector<ApgFound> run_once(const Run& run, std::span<const Instance> instances, int max_changes,
                               std::size_t keep_supports, std::span<const std::vector<double>> origins = {}) {
  const Options& o = run.options;
  const Space& space = run.wished.space;
  Sparsity sparsity{.beta = o.beta, .max_changes = max_changes, .group = {}, .one_hot = true};
  if (space.has_categories())
    for (std::size_t column = 0; column < space.columns(); ++column)
      sparsity.group.push_back(static_cast<int>(space.feature_of(column)));
  const std::unique_ptr<Prox> prox = make_prox(o.sparsity, sparsity);
  const ApgOptions options{.iterations = o.iterations,
                           .sections = o.sections,
                           .step = o.step,
                           .rule = o.step_rule,
                           .keep = o.keep_best ? Keep::best : Keep::last};
  const Weights weights = weights_of(run);
  std::vector<ApgFound> found(instances.size());
  apg_rows({.wished = run.wished,
            .weights = weights,
            .prox = *prox,
            .options = options,
            .keep_supports = keep_supports,
            .deadline = run.problem.deadline,
            .writing = &run.problem.setting.writing,
            .most_changes = o.sparsity == SparsityKind::top_m ? o.max_changes : 0,
            .level_costs = true,
            .anchored = &run.wished.density == run.problem.setting.density.density.get(),
            .origins = origins},
           instances, found, run.problem.pool);
  return found;
}

bool is_better(const ApgFound& a, const ApgFound& b) {
  if (a.valid != b.valid) return a.valid;
  if (!a.valid) return a.margin > b.margin;
  if (a.meets_floor != b.meets_floor) return a.meets_floor;
  return a.cost < b.cost;
}

// One vertex of one row: its levels, and what they cost.
struct Vertex {
  std::size_t row;
  std::vector<double> origin;
  int changes = 0;
  double cost = 0;
};

Vertex vertex_of(const Run& run, std::size_t row, const std::vector<int>& levels) {
  const Space& space = run.wished.space;
  const Instance& instance = run.problem.instances[row];
  Vertex vertex{row, instance.factual};
  for (const int column : levels) {
    const auto j = static_cast<std::size_t>(column);
    const std::size_t f = space.feature_of(j);
    std::fill_n(vertex.origin.begin() + static_cast<std::ptrdiff_t>(space.first(f)), space.width(f), 0.0);
    vertex.origin[j] = 1;
    ++vertex.changes;
    vertex.cost += space.cost(f, instance.values[f], static_cast<double>(j - space.first(f)));
  }
  if (run.options.sparsity != SparsityKind::top_m && run.options.sparsity != SparsityKind::none)
    vertex.cost += run.options.beta * vertex.changes;  // each moved all of its share
  return vertex;
}

// The better of the two, with the effort of both.
void merge(ApgFound other, ApgFound& own) {
  const std::size_t gradients = own.gradients + other.gradients;
  const bool timed_out = own.timed_out || other.timed_out, finite = own.finite && other.finite;
  if (is_better(other, own)) own = std::move(other);
  own.gradients = gradients;
  own.timed_out = timed_out;
  own.finite = finite;
}

// From vertices that leave as many changes to the numbers.
void adapt_numbers(const Run& run, std::span<const Vertex> from, int changes, std::span<ApgFound> found) {
  std::vector<Instance> instances;
  std::vector<std::vector<double>> origins;
  for (const Vertex& vertex : from) {
    instances.push_back(run.problem.instances[vertex.row]);
    origins.push_back(vertex.origin);
  }
  std::vector<ApgFound> adapted = run_once(run, instances, changes, 0, origins);
  for (std::size_t k = 0; k < from.size(); ++k) {
    adapted[k].cost += from[k].cost;
    merge(std::move(adapted[k]), found[from[k].row]);
  }
}

// Both rounds for some of the rows.
void run_rounds(const Run& run, std::span<const std::size_t> rows, std::span<ApgFound> found) {
  const int changes = run.options.max_changes;
  std::vector<Instance> instances;
  for (const std::size_t row : rows) instances.push_back(run.problem.instances[row]);
  std::vector<ApgFound> relaxed = run_once(run, instances, changes, vertices);
  const bool limited = run.options.sparsity == SparsityKind::top_m;
  std::vector<std::vector<Vertex>> left(limited ? static_cast<std::size_t>(changes) + 1 : 1);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::vector<int>> visited = std::move(relaxed[k].supports);
    visited.emplace_back();  // the factual's own levels
    merge(std::move(relaxed[k]), found[rows[k]]);
    for (const std::vector<int>& levels : visited) {
      Vertex vertex = vertex_of(run, rows[k], levels);
      if (limited && vertex.changes >= changes) continue;  // nothing is left for the numbers
      left[limited ? static_cast<std::size_t>(changes - vertex.changes) : 0].push_back(std::move(vertex));
    }
  }
  for (std::size_t more = 0; more < left.size(); ++more)
    if (!left[more].empty())
      adapt_numbers(run, left[more], limited ? static_cast<int>(more) : changes, found);
}

// Without a feature of each support that is taken, one way or another: the sets of features to hold.
std::vector<std::vector<int>> ways_apart(const std::vector<std::vector<int>>& taken) {
  constexpr std::size_t most = 27;  // three answers of three changes each
  std::vector<std::vector<int>> ways = {{}};
  for (const std::vector<int>& support : taken) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int>& way : ways) {
      const auto held = [&](int f) { return std::ranges::find(way, f) != way.end(); };
      if (std::ranges::any_of(support, held)) {
        next.push_back(way);
        continue;
      }
      for (const int f : support) {
        next.push_back(way);
        next.back().push_back(f);
        std::ranges::sort(next.back());
      }
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    next.resize(std::min(next.size(), most));
    ways.swap(next);
  }
  return ways;
}

Instance holding(const Space& space, Instance instance, const std::vector<int>& features) {
  for (const int feature : features) {
    const auto f = static_cast<std::size_t>(feature);
    for (std::size_t j = space.first(f); j < space.first(f) + space.width(f); ++j)
      instance.lo[j] = instance.hi[j] = 0;
    if (space.is_category(f)) instance.levels[f] = {static_cast<int>(instance.values[f])};
  }
  return instance;
}

// Rows that have answers already are asked once for every way to keep off those.
std::vector<ApgFound> run_apart(const Problem& problem, const Wished& wished, const Options& o) {
  std::vector<std::size_t> of;
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < problem.instances.size(); ++i)
    for (const std::vector<int>& way : ways_apart(problem.instances[i].taken)) {
      of.push_back(i);
      instances.push_back(holding(wished.space, problem.instances[i], way));
      instances.back().taken.clear();  // no support of theirs is left
    }
  Problem ways = problem;
  ways.instances = instances;
  std::vector<ApgFound> each = run_apg(ways, wished, o);
  ApgFound none;
  none.w.assign(wished.space.columns(), 0.0);
  std::vector<ApgFound> found(problem.instances.size(), none);
  for (std::size_t k = 0; k < each.size(); ++k) merge(std::move(each[k]), found[of[k]]);
  return found;
}

}  // namespace

std::vector<ApgFound> run_apg(const Problem& problem, const Wished& wished, const Options& o) {
  if (std::ranges::any_of(problem.instances, [](const Instance& i) { return !i.taken.empty(); }))
    return run_apart(problem, wished, o);
  const Run run{problem, wished, o};
  if (!wished.space.has_categories()) return run_once(run, problem.instances, o.max_changes, 0);
  ApgFound none;
  none.w.assign(wished.space.columns(), 0.0);
  std::vector<ApgFound> found(problem.instances.size(), none);
  std::vector<std::size_t> open(found.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  run_rounds(run, open, found);
  // A floor that was missed: the weight of the density decides which vertices a row passes by.
  for (const double factor : {10.0, 0.1}) {
    std::erase_if(open, [&](std::size_t row) {
      return found[row].meets_floor || found[row].timed_out || !problem.instances[row].floor;
    });
    if (open.empty()) break;
    Options other = o;
    other.tau *= factor;
    std::vector<ApgFound> weighed(found.size(), none);
    run_rounds({problem, wished, other}, open, weighed);
    for (const std::size_t row : open) {
      const std::size_t gradients = found[row].gradients + weighed[row].gradients;
      const bool helps =
          weighed[row].meets_floor || (!found[row].valid && is_better(weighed[row], found[row]));
      if (helps) found[row] = std::move(weighed[row]);
      found[row].gradients = gradients;
    }
  }
  return found;
}

}  // namespace scfe
