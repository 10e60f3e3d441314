#include "solver/exact/exact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

#include "model/trees/ensemble.h"
#include "scfe/error.h"
#include "solver/exact/bound.h"
#include "solver/exact/grid.h"
#include "support/parallel.h"

namespace scfe {
namespace {

using Mode = ExactJudge::Mode;

// The state of one thread, which solves one row after the other.
class ExactRow {
 public:
  ExactRow(const ExactJob& job, const ExactGoal& goal, const ExactCells& cells)
      : job_(job),
        goal_(goal),
        axes_(cells, job.space, job.writing),
        leaves_(cells, axes_),
        bound_(cells, axes_, goal_),
        grid_(cells, axes_, goal_),
        judge_(job, goal_) {}

  // Gives up at the first number of changes for which some support may do, or too many would have to be
  // tried.
  std::size_t fewest_changes(const Row& row) {
    constexpr int most_stops = 16;  // ExactBound asks every 256 supports
    goal_.set_extra(row.required - job_.options.required);
    axes_.set(row, 0);
    const std::size_t sizes =
        std::min(static_cast<std::size_t>(job_.options.max_changes), ExactLeaves::most_changes);
    leaves_.collect(sizes);
    for (std::size_t size = 1; size <= sizes; ++size) {
      int stops = 0;
      const auto stop = [&] { return ++stops > most_stops; };
      if (!bound_.list(leaves_, size, INFINITY, 1, stop) || !bound_.supports().empty()) return size;
    }
    return sizes + 1;
  }

  void run(const Row& row, Found& found) {
    found = {};
    row_ = &row;
    goal_.set_extra(row.required - job_.options.required);
    if (!judge_.begin(row)) return finish(Status::not_finite, found);
    const bool most_plausible = row.demand.most_plausible;
    judge_.set_mode(most_plausible ? Mode::most_plausible
                    : row.floor    ? Mode::cheapest_above_floor
                                   : Mode::cheapest);
    if (judge_.factual_holds() && !most_plausible) {
      found.proven = true;
      return finish(Status::already, found);
    }
    const bool cells_suffice = !row.floor && !most_plausible && !row.demand.allows && !row.demand.differs;
    axes_.set(row, cells_suffice ? 0 : job_.options.further_values);
    set_reach();
    // If the warm start is proven, supports with fewer changes need not be searched again.
    const WarmStart* warm_start = row.warm_start.get();
    if (warm_start != nullptr && !warm_start->answer.empty()) judge_.begin_with(warm_start->answer);
    if (most_plausible) judge_.begin_with(row.values);  // the row itself may be valid
    const bool goes_on = warm_start != nullptr && warm_start->proven && !most_plausible;
    enumerate(goes_on ? warm_start->changes + 1 : 1);
    least_left_ = std::min(least_left_, judge_.least_unknown());
    found.proven = !(most_plausible && judge_.found()) && complete_ && !judge_.factual_unknown() &&
                   !fewer_unknown_ && !(judge_.least_unknown() < judge_.cost());
    found.lower_bound = judge_.found() ? std::min(judge_.cost(), least_left_) : least_left_;
    found.timed_out = judge_.out_of_time();
    if (judge_.found()) return finish(Status::valid, found);
    finish(found.timed_out ? Status::time_limit : Status::not_found, found);
    const bool above_floor = judge_.mode() == Mode::cheapest_above_floor && found.status == Status::not_found;
    if (above_floor && !goes_on) found.out_of_reach = !may_be_between_ || none_is_valid();
  }

 private:
  void finish(Status status, Found& found) {
    found.status = status;
    judge_.answer(found);
  }

  // True if no row within the limits is valid, whatever its log q.
  bool none_is_valid() {
    if (row_->demand.depends_on_values() || row_->demand.is_further() || judge_.factual_is_valid())
      return false;
    judge_.set_mode(Mode::cheapest);
    axes_.set(*row_, 0);
    set_reach();
    enumerate(1);
    return complete_ && !judge_.found() && !std::isfinite(judge_.least_unknown());
  }

  bool first_size_only() const { return job_.options.fewest_first && judge_.mode() != Mode::most_plausible; }

  // Bounds of log q near the row, if log q decides which candidates matter and the density knows bounds.
  void set_reach() {
    reach_.reset();
    if (job_.density != nullptr && judge_.mode() != Mode::cheapest)
      if (std::optional<Separable> separable = job_.density->separable(row_->anchor))
        reach_.emplace(std::move(*separable), reachable(job_.space, *row_));
    grid_.set_reach(reach_ ? &*reach_ : nullptr);
  }
  // False if candidates with this upper bound of log q can no longer matter.
  bool matters(double bound) const {
    return !(bound + ReachableDensity::rounding(bound) < judge_.least_density());
  }

  void enumerate(std::size_t first) {
    std::size_t features = 0;
    for (std::size_t f = 0; f < job_.space.features(); ++f) features += axes_.active(f);
    const std::size_t wanted = std::min(static_cast<std::size_t>(job_.options.max_changes), features),
                      sizes = std::min(wanted, ExactLeaves::most_changes);
    complete_ = true;
    may_be_between_ = !reach_;
    fewer_unknown_ = false;
    least_left_ = INFINITY;
    collected_ = 0;
    const std::vector<double> bounds = reach_ ? reach_->by_changes(wanted) : std::vector<double>();
    const auto may_matter = [&](std::size_t size) { return bounds.empty() || matters(bounds[size]); };
    for (std::size_t size = first; size <= sizes; ++size) {
      if (!may_matter(size)) continue;
      if (judge_.out_of_time()) return leave(size);
      look_at_size(size, first_size_only() ? size : sizes);
      if (judge_.found() && first_size_only()) return;
      fewer_unknown_ = first_size_only() && std::isfinite(judge_.least_unknown());
    }
    if (wanted > sizes && may_matter(wanted)) leave(sizes + 1);
  }

  void look_at_size(std::size_t size, std::size_t collect) {
    if (collected_ < collect) leaves_.collect(collect);
    collected_ = collect;
    const auto stop = [this] { return judge_.out_of_time(); };
    if (!bound_.list(leaves_, size, judge_.limit(), job_.options.max_supports, stop)) leave(size);
    list_plausible(size);
    for (std::size_t i = 0; i < plausible_.size(); ++i) {
      const std::span<const std::uint16_t> features = plausible_[i].features;
      if (!matters(plausible_[i].most) || least_cost(features) >= judge_.limit() || is_taken(features))
        continue;
      if (reach_) reach_->set_support(features);
      share_patience(plausible_.size() - i);
      if (!judge_.out_of_time() && look_at_support(features, 0)) continue;
      complete_ = false;
      least_left_ = std::min(least_left_, least_cost(features));
    }
  }

  // The supports whose bound of log q is large enough. If the most plausible row is asked for, the most
  // promising come first.
  void list_plausible(std::size_t size) {
    plausible_.clear();
    for (const Support& support : bound_.supports()) {
      Plausible next{{support.feature.data(), size}};
      if (reach_ && !judge_.out_of_time()) {
        reach_->set_support(next.features);
        next.most = reach_->most();
      }
      if (matters(next.most)) plausible_.push_back(next);
    }
    may_be_between_ = may_be_between_ || !plausible_.empty();
    if (judge_.mode() == Mode::most_plausible)
      std::ranges::stable_sort(plausible_, std::greater(), &Plausible::most);
  }

  // Limits the evaluations of the density: a row has max_densities in all, and each support an equal share of
  // what is left, but at least a fixed number.
  void share_patience(std::size_t supports_left) {
    const std::size_t most = job_.options.max_densities, spent = std::min(most, judge_.densities());
    const std::size_t least = judge_.mode() == Mode::most_plausible ? 256 : 16384;
    judge_.allow(std::max((most - spent) / supports_left, spent < most ? least : 0));
  }

  // Searches all choices of one axis for each feature; only categories of more than 64 levels have several
  // axes.
  bool look_at_support(std::span<const std::uint16_t> features, std::size_t from) {
    if (from == 0) chosen_.clear();
    if (from == features.size()) return grid_.search(leaves_, chosen_, judge_);
    bool done = true;
    const std::size_t f = features[from];
    for (std::size_t axis = axes_.first_axis(f); axis < axes_.first_axis(f + 1); ++axis) {
      chosen_.resize(from);
      chosen_.push_back(axis);
      done = look_at_support(features, from + 1) && done;
    }
    return done;
  }

  bool is_taken(std::span<const std::uint16_t> features) const {
    return row_->demand.is_taken(std::vector<int>(features.begin(), features.end()));
  }

  double least_cost(std::size_t feature) const {
    double least = INFINITY;
    for (std::size_t axis = axes_.first_axis(feature); axis < axes_.first_axis(feature + 1); ++axis)
      least = std::min(least, axes_[axis].least(axes_[axis].all()));
    return least;
  }
  double least_cost(std::span<const std::uint16_t> features) const {
    double sum = 0;
    for (const std::uint16_t f : features) sum += least_cost(f);
    return sum;
  }

  // Supports of this size and more were not searched; none can cost less than the cheapest features together.
  void leave(std::size_t size) {
    complete_ = false;
    may_be_between_ = true;
    std::vector<double> costs;
    for (std::size_t f = 0; f < job_.space.features(); ++f)
      if (axes_.active(f)) costs.push_back(least_cost(f));
    std::ranges::sort(costs);
    double sum = 0;
    for (std::size_t i = 0; i < std::min(size, costs.size()); ++i) sum += costs[i];
    least_left_ = std::min(least_left_, sum);
  }

  struct Plausible {
    std::span<const std::uint16_t> features;
    double most = INFINITY;  // upper bound of log q
  };

  const ExactJob& job_;
  const Row* row_ = nullptr;
  ExactGoal goal_;
  ExactAxes axes_;
  ExactLeaves leaves_;
  ExactBound bound_;
  ExactGrid grid_;
  ExactJudge judge_;
  std::optional<ReachableDensity> reach_;
  std::vector<Plausible> plausible_;
  std::vector<std::size_t> chosen_;
  bool may_be_between_ = true;                    // a row above the floor, for all that the bounds say
  bool complete_ = true, fewer_unknown_ = false;  // of a smaller size: an answer to some runtimes
  double least_left_ = 0;
  std::size_t collected_ = 0;
};

}  // namespace

namespace {

// The cells, with what they were made of.
struct PreparedCells : Prepared::Part {
  const Ensemble& ensemble;
  std::vector<double> steps;
  std::vector<std::string> formulas;
  ExactCells cells;

  explicit PreparedCells(const ExactJob& job)
      : ensemble(job.ensemble),
        steps(job.writing.step),
        formulas(formulas_of(job)),
        cells(job.ensemble, {job.space, job.writing, job.derived}) {}
  bool fits(const ExactJob& job) const {
    return &ensemble == &job.ensemble && steps == job.writing.step && formulas == formulas_of(job);
  }
  static std::vector<std::string> formulas_of(const ExactJob& job) {
    std::vector<std::string> texts;
    for (const Derivation& derivation : job.derived) texts.push_back(derivation.text);
    return texts;
  }
};

std::shared_ptr<const PreparedCells> cells_of(const ExactJob& job) {
  const auto make = [&] { return std::make_shared<const PreparedCells>(job); };
  if (job.prepared == nullptr) return make();
  return job.prepared->part<PreparedCells>([&](const PreparedCells& kept) { return kept.fits(job); }, make);
}

}  // namespace

struct ExactSolver::Tables {
  ExactJob job;
  ExactGoal goal;
  std::shared_ptr<const PreparedCells> prepared;
  explicit Tables(const ExactJob& given)
      : job(given), goal(job.ensemble, job.options), prepared(cells_of(job)) {}
};

ExactSolver::ExactSolver(const ExactJob& job) {
  if (job.space.features() > most_features)
    throw Error("solver", "search or apg above " + std::to_string(most_features) + " features",
                "exact for " + std::to_string(job.space.features()));
  tables_ = std::make_unique<const Tables>(job);
}
ExactSolver::~ExactSolver() = default;

void ExactSolver::run(std::span<const Row> rows, std::span<Found> found, Pool& pool) const {
  std::atomic<std::size_t> next = 0;
  pool.run([&](std::size_t) {
    ExactRow solver(tables_->job, tables_->goal, tables_->prepared->cells);
    for (std::size_t i = next++; i < rows.size(); i = next++) solver.run(rows[i], found[i]);
  });
}

std::size_t ExactSolver::fewest_changes(const Row& row) const {
  return ExactRow(tables_->job, tables_->goal, tables_->prepared->cells).fewest_changes(row);
}

void exact_rows(const ExactJob& job, std::span<const Row> rows, std::span<Found> found, Pool& pool) {
  ExactSolver(job).run(rows, found, pool);
}

}  // namespace scfe
