#include "plan/paper.h"

#include <algorithm>
#include <memory>

#include "plan/retry.h"
#include "query/floor_order.h"
#include "query/make_row.h"
#include "solver/apg/grid.h"
#include "solver/written/write_rows.h"
#include "sparsity/lengths.h"
#include "sparsity/prox.h"

namespace scfe {
namespace {

constexpr std::size_t vertices = 4;  // this many of each row get a second round

// The weight of each column in the proximity.
std::vector<double> weights_of_numbers(const Space& space) {
  std::vector<double> weight(space.weight().begin(), space.weight().end());
  for (std::size_t j = 0; j < weight.size(); ++j)
    if (space.is_category(space.feature_of(j)))
      weight[j] = 0;  // levels have prices instead (solver/apg/rows.cpp)
  return weight;
}

Weights weights_of(const Query& query) {
  const Options& o = query.options;
  const Space& space = query.fitted.space;
  Weights weights;
  weights.proximity = SquaredL2(space.proximity().squared ? weights_of_numbers(space)
                                                          : std::vector<double>(space.columns(), 0.0));
  weights.loss = &find_loss(o.loss);
  weights.tau = query.has_density() ? o.tau : 0;
  return weights;
}

std::vector<ApgFound> run_once(const Query& query, std::span<const Row> rows, int max_changes,
                               std::size_t keep_supports, std::span<const std::vector<double>> origins = {}) {
  const Options& o = query.options;
  const Space& space = query.fitted.space;
  Sparsity sparsity{.beta = o.beta, .max_changes = max_changes, .group = {}, .one_hot = true};
  if (space.has_categories())
    for (std::size_t column = 0; column < space.columns(); ++column)
      sparsity.group.push_back(static_cast<int>(space.feature_of(column)));
  std::unique_ptr<Prox> prox = make_prox(o.sparsity, sparsity);
  if (!space.proximity().squared) prox = with_lengths(std::move(prox), weights_of_numbers(space));
  const ApgOptions options{.iterations = o.iterations,
                           .sections = o.sections,
                           .step = o.step,
                           .rule = o.step_rule,
                           .keep = o.keep_best ? Keep::best : Keep::last};
  const Weights weights = weights_of(query);
  std::vector<ApgFound> found(rows.size());
  apg_rows(query,
           {.weights = weights,
            .prox = *prox,
            .options = options,
            .keep_supports = keep_supports,
            .most_changes = o.sparsity == SparsityKind::top_m ? o.max_changes : 0,
            .level_costs = true,
            .origins = origins},
           rows, found);
  return found;
}

bool is_better(const FloorOrder& order, const ApgFound& a, const ApgFound& b) {
  if (a.valid != b.valid) return a.valid;
  if (!a.valid) return a.margin > b.margin;
  if (order.floor == FloorOrder::lowest) return a.cost < b.cost;
  return order.prefers({a.log_density, a.cost}, {b.log_density, b.cost},
                       std::max(a.log_density, b.log_density));
}

// The result before anything was tried.
ApgFound no_change(const Query& query) {
  ApgFound none;
  none.w.assign(query.fitted.space.columns(), 0.0);
  return none;
}

// Keeps the better of the two, and adds up their effort.
void merge(const FloorOrder& order, ApgFound other, ApgFound& own) {
  const std::size_t gradients = own.gradients + other.gradients;
  const bool timed_out = own.timed_out || other.timed_out, finite = own.finite && other.finite;
  if (is_better(order, other, own)) own = std::move(other);
  own.gradients = gradients;
  own.timed_out = timed_out;
  own.finite = finite;
}

// A combination of levels for one row, and what it costs.
struct Vertex {
  std::size_t row;
  std::vector<double> origin;
  int changes = 0;
  double cost = 0;
};

// The two rounds for some of the rows.
class Rounds {
 public:
  Rounds(const Query& query, std::span<const Row> rows) : query_(query), rows_(rows) {}

  std::vector<ApgFound> run() {
    found_.assign(rows_.size(), no_change(query_));
    std::vector<ApgFound> relaxed = run_once(query_, rows_, query_.options.max_changes, vertices);
    const bool limited = query_.options.sparsity == SparsityKind::top_m;
    const int changes = query_.options.max_changes;
    std::vector<std::vector<Vertex>> left(limited ? static_cast<std::size_t>(changes) + 1 : 1);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::vector<std::vector<int>> visited = std::move(relaxed[i].supports);
      visited.emplace_back();  // the factual's own levels
      merge(floor_order(query_, rows_[i]), std::move(relaxed[i]), found_[i]);
      for (const std::vector<int>& levels : visited) {
        Vertex vertex = vertex_of(i, levels);
        if (limited && vertex.changes >= changes) continue;  // no change is left for the numbers
        left[limited ? static_cast<std::size_t>(changes - vertex.changes) : 0].push_back(std::move(vertex));
      }
    }
    for (std::size_t more = 0; more < left.size(); ++more)
      if (!left[more].empty()) adapt_numbers(left[more], limited ? static_cast<int>(more) : changes);
    return std::move(found_);
  }

 private:
  Vertex vertex_of(std::size_t i, const std::vector<int>& levels) const {
    const Space& space = query_.fitted.space;
    const Row& row = rows_[i];
    Vertex vertex{i, row.factual};
    for (const int column : levels) {
      const auto j = static_cast<std::size_t>(column);
      const std::size_t f = space.feature_of(j);
      std::fill_n(vertex.origin.begin() + static_cast<std::ptrdiff_t>(space.first(f)), space.width(f), 0.0);
      vertex.origin[j] = 1;
      ++vertex.changes;
      vertex.cost += space.cost(f, row.values[f], static_cast<double>(j - space.first(f)));
    }
    if (query_.options.sparsity != SparsityKind::top_m && query_.options.sparsity != SparsityKind::none)
      vertex.cost += query_.options.beta * vertex.changes;  // each level moves by its full weight, 1
    return vertex;
  }

  // Optimises the numbers, at most `changes` of them, starting from each vertex.
  void adapt_numbers(std::span<const Vertex> from, int changes) {
    std::vector<Row> rows;
    std::vector<std::vector<double>> origins;
    for (const Vertex& vertex : from) {
      rows.push_back(rows_[vertex.row]);
      origins.push_back(vertex.origin);
    }
    std::vector<ApgFound> adapted = run_once(query_, rows, changes, 0, origins);
    for (std::size_t k = 0; k < from.size(); ++k) {
      adapted[k].cost += from[k].cost;
      merge(floor_order(query_, rows_[from[k].row]), std::move(adapted[k]), found_[from[k].row]);
    }
  }

  const Query& query_;
  std::span<const Row> rows_;
  std::vector<ApgFound> found_;
};

std::vector<ApgFound> run_with_levels(const Query& query, std::span<const Row> rows) {
  std::vector<ApgFound> found = Rounds(query, rows).run();
  // For rows that missed the floor: another weight of the density visits other vertices.
  for (const double factor : {10.0, 0.1}) {
    Options other = query.options;
    other.tau *= factor;
    const Query weighed = query.with(other);
    retry(
        rows, std::span(found),
        [](const Row& row, const ApgFound& own) { return !own.meets_floor && !own.timed_out && row.floor; },
        [&](const std::vector<std::size_t>& places) {
          std::vector<Row> open;
          for (const std::size_t i : places) open.push_back(rows[i]);
          return Rounds(weighed, open).run();
        },
        [&](const Row& row, const ApgFound& own, const ApgFound& again) {
          return is_better(floor_order(query, row), again, own);
        });
  }
  return found;
}

// Sets of features to freeze, so that no set of `taken` can change as a whole.
std::vector<std::vector<int>> sets_to_hold(const std::vector<std::vector<int>>& taken) {
  constexpr std::size_t most = 27;  // three answers of three changes each
  std::vector<std::vector<int>> sets = {{}};
  for (const std::vector<int>& support : taken) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int>& held : sets) {
      if (std::ranges::any_of(support, [&](int f) { return std::ranges::find(held, f) != held.end(); })) {
        next.push_back(held);
        continue;
      }
      for (const int f : support) {
        next.push_back(held);
        next.back().push_back(f);
        std::ranges::sort(next.back());
      }
    }
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
    next.resize(std::min(next.size(), most));
    sets.swap(next);
  }
  return sets;
}

Row holding(const Space& space, Row row, const std::vector<int>& features) {
  for (const int feature : features) {
    const auto f = static_cast<std::size_t>(feature);
    for (std::size_t j = space.first(f); j < space.first(f) + space.width(f); ++j) row.lo[j] = row.hi[j] = 0;
    if (space.is_category(f)) row.levels[f] = {static_cast<int>(row.values[f])};
  }
  row.demand.taken_supports.clear();  // none of them can be changed as a whole any more
  return row;
}

}  // namespace

// A row that already has answers is solved once for each set of features to freeze (sets_to_hold).
std::vector<ApgFound> run_apg(const Query& query, std::span<const Row> rows) {
  std::vector<std::size_t> of;
  std::vector<Row> asked;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::vector<int>& held : sets_to_hold(rows[i].demand.taken_supports)) {
      of.push_back(i);
      asked.push_back(holding(query.fitted.space, rows[i], held));
    }
  std::vector<ApgFound> each = query.fitted.space.has_categories()
                                   ? run_with_levels(query, asked)
                                   : run_once(query, asked, query.options.max_changes, 0);
  if (each.size() == rows.size()) return each;
  std::vector<ApgFound> found(rows.size(), no_change(query));
  for (std::size_t k = 0; k < each.size(); ++k)
    merge(floor_order(query, rows[of[k]]), std::move(each[k]), found[of[k]]);
  return found;
}

std::vector<Found> write_points(const Query& query, std::span<const Row> rows,
                                std::span<const ApgFound> points) {
  std::vector<Found> found(points.size());
  write_rows(query, query.options.sparsity == SparsityKind::top_m ? query.options.max_changes : 0, rows,
             points, found);
  return found;
}

namespace {

void answer_with(const Query& query, std::span<const Row> rows, std::span<const ApgFound> points,
                 std::span<Found> found) {
  std::ranges::move(write_points(query, rows, points), found.begin());
  for (std::size_t i = 0; i < found.size(); ++i) say_why_not(points[i], found[i]);
}

std::vector<Outcome> outcomes_at(const Query& query, std::span<const Row> rows,
                                 std::span<const ApgFound> points) {
  const std::vector<Found> found = write_points(query, rows, points);
  std::vector<Outcome> outcomes(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    outcomes[i].valid = points[i].valid && found[i].status != Status::not_found;
    outcomes[i].changes = static_cast<int>(query.fitted.space.changes(rows[i].values, found[i].values));
    outcomes[i].distance = query.fitted.space.cost(rows[i].values, found[i].values);
    outcomes[i].log_density = found[i].log_density;
    outcomes[i].w.assign(points[i].w.begin(), points[i].w.end());
  }
  return outcomes;
}

// Runs the algorithm with the density of a grid point. The results are compared under the query's own.
std::vector<ApgFound> run_at(const Query& query, const GridPoint& point, std::span<const Row> rows) {
  Options options = query.options;
  options.beta = point.beta;
  options.tau = point.tau;
  if (point.k == 0) return run_apg(query.with(options), rows);
  const auto* const k = std::ranges::find(tuned_neighbours, point.k);
  const Fitted fitted =
      query.fitted.with(query.fitted.neighbour_grid[static_cast<std::size_t>(k - tuned_neighbours.begin())]);
  std::vector<Row> anchored(rows.begin(), rows.end());
  for (Row& row : anchored) set_anchor(fitted, row);
  return run_apg(query.with(fitted).with(options), anchored);
}

}  // namespace

void solve_by_apg(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  answer_with(question.query, rows, run_apg(question.query, rows), found);
}

void solve_by_grid(const PlanQuery& question, std::span<const Row> rows, std::span<Found> found) {
  const Query& query = question.query;
  GridOptions axes;
  if (!query.fitted.neighbour_grid.empty()) axes.k.assign(tuned_neighbours.begin(), tuned_neighbours.end());
  std::vector<ApgFound> best(rows.size());
  const auto run = [&](const GridPoint& point) {
    const std::vector<ApgFound> points = run_at(query, point, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      best[i].gradients += points[i].gradients;
      best[i].timed_out = best[i].timed_out || points[i].timed_out;
      best[i].finite = best[i].finite && points[i].finite;
    }
    return outcomes_at(query, rows, points);
  };
  const std::vector<GridChoice> choices = grid_search(grid_points(axes), run);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    best[i].valid = best[i].meets_floor = choices[i].outcome.valid;
    best[i].w.assign(choices[i].outcome.w.begin(), choices[i].outcome.w.end());
  }
  answer_with(query, rows, best, found);
}

}  // namespace scfe
