#include "solver/apg/rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "solver/written/landing.h"

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

// The best supports of one lane's iterates: valid and cheap ones first, then those with the largest margin.
class BestSupports {
 public:
  explicit BestSupports(std::size_t keep) : keep_(keep) {}

  void visit(const Block& w, std::size_t lane, float margin, float cost, const std::vector<char>& counts) {
    support_.clear();
    for (std::size_t j = 0; j < w.features(); ++j)
      if (counts.empty() ? w[j][lane] != 0 : counts[j] && w[j][lane] > 0)
        support_.push_back(static_cast<int>(j));
    if (support_.empty() || !std::isfinite(margin)) return;
    const double rank = margin >= 0 ? cost : 1e6 - margin;
    const auto same =
        std::find_if(kept_.begin(), kept_.end(), [&](const Entry& e) { return e.support == support_; });
    if (same != kept_.end()) {
      same->rank = std::min(same->rank, rank);
    } else if (kept_.size() < keep_) {
      kept_.push_back({rank, support_});
    } else {
      const auto worst = std::max_element(kept_.begin(), kept_.end(), by_rank);
      if (rank < worst->rank) *worst = {rank, support_};
    }
  }

  std::vector<std::vector<int>> supports() {
    std::stable_sort(kept_.begin(), kept_.end(), by_rank);
    std::vector<std::vector<int>> supports;
    for (Entry& entry : kept_) supports.push_back(std::move(entry.support));
    return supports;
  }

 private:
  struct Entry {
    double rank;
    std::vector<int> support;
  };
  static bool by_rank(const Entry& a, const Entry& b) { return a.rank < b.rank; }

  std::size_t keep_;
  std::vector<Entry> kept_;
  std::vector<int> support_;
};

// Some of the rows, either all or none of which have to be mapped to allowed rows.
struct Batch {
  std::span<const Row> rows;
  std::span<ApgFound> found;
  std::vector<std::size_t> places;
  bool projects, has_floor;
};

// A floor has to be compared with the density, even if its weight is 0.
Weights weights_of(const Query& query, const ApgRun& run, bool has_floor) {
  Weights weights = run.weights;
  weights.watch_density = weights.watch_density || (has_floor && query.has_density());
  return weights;
}

// The state of one thread; takes rows from `next` on until there are no more.
class Worker final : Projection {
 public:
  Worker(const Query& query, const ApgRun& run, const Batch& batch, std::size_t lanes)
      : query_(query),
        run_(run),
        batch_(batch),
        columns_(query.fitted.space.columns()),
        terms_(query, lanes),
        objective_(terms_, weights_of(query, run, batch.has_floor)),
        apg_(columns_, lanes, run.options),
        box_{Block(columns_, lanes), Block(columns_, lanes)},
        row_(lanes),
        orders_(lanes),
        best_supports_(lanes, BestSupports(run.keep_supports)),
        landing_({query.fitted.space, query.fitted.writing, run.most_changes}),
        at_(columns_),
        w_(columns_),
        price_(columns_) {
    const Space& space = query.fitted.space;
    if (space.has_categories())
      for (std::size_t j = 0; j < columns_; ++j) levels_.push_back(space.is_category(space.feature_of(j)));
  }

  void run(std::atomic<std::size_t>& next) {
    std::size_t lanes = 0;
    for (; lanes < row_.size(); ++lanes)
      if (!take(lanes, next)) break;
    if (lanes == 0) return;
    objective_.set_lanes(lanes);
    box_.lo.set_lanes(lanes);
    box_.hi.set_lanes(lanes);
    for (std::size_t lane = 0; lane < lanes; ++lane) load(lane);

    ApgHooks hooks;
    if (run_.keep_supports > 0) hooks.observe = [&](const ApgIteration& it) { note_supports(it); };
    hooks.should_stop = [&] { return is_past(query_.deadline); };
    hooks.refill = [&](std::size_t lane) {
      unload(lane, true);
      if (!take(lane, next)) return false;
      load(lane);
      return true;
    };
    if (apg_.solve({objective_, run_.prox, box_, orders_, batch_.projects ? this : nullptr}, hooks)) return;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      if (row_[lane] < batch_.rows.size()) unload(lane, false);
  }

 private:
  // False if there are no more rows; row_[lane] is then none of them.
  bool take(std::size_t lane, std::atomic<std::size_t>& next) {
    const std::size_t k = next++;
    row_[lane] = k < batch_.places.size() ? batch_.places[k] : batch_.rows.size();
    return k < batch_.places.size();
  }

  void load(std::size_t lane) {
    const Row& row = batch_.rows[row_[lane]];
    factual_.assign(row.factual.begin(), row.factual.end());
    objective_.set_factual(lane, factual_, row.anchor);
    objective_.set_required(lane, row.required);
    if (run_.level_costs && !levels_.empty()) set_prices(lane, row);
    if (!run_.origins.empty()) objective_.set_origin(lane, run_.origins[row_[lane]]);
    for (std::size_t j = 0; j < columns_; ++j) {
      const bool held = !run_.origins.empty() && !levels_.empty() && levels_[j];
      box_.lo[j][lane] = held ? 0 : static_cast<float>(row.lo[j]);
      box_.hi[j][lane] = held ? 0 : static_cast<float>(row.hi[j]);
    }
    orders_[lane] = floor_order(query_, row);
    best_supports_[lane] = BestSupports(run_.keep_supports);
  }

  // A level costs its distance from the factual's level, in proportion to its share.
  void set_prices(std::size_t lane, const Row& row) {
    const Space& space = query_.fitted.space;
    for (std::size_t j = 0; j < columns_; ++j) {
      const std::size_t f = space.feature_of(j);
      price_[j] = levels_[j] ? space.cost(f, row.values[f], static_cast<double>(j - space.first(f))) : 0;
    }
    objective_.set_prices(lane, price_);
  }

  void project(const Block& w, std::vector<char>& lanes, Block& onto) override {
    for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
      if (!lanes[lane]) continue;
      const Row& row = batch_.rows[row_[lane]];
      for (std::size_t j = 0; j < columns_; ++j) w_[j] = offset(row, lane, j) + w[j][lane];
      lanes[lane] = landing_(row, w_, {});
      query_.fitted.space.to_columns(landing_.row(), at_);
      for (std::size_t j = 0; j < columns_; ++j)
        onto[j][lane] = static_cast<float>(at_[j] - row.factual[j] - offset(row, lane, j));
    }
  }
  double offset(const Row& row, std::size_t lane, std::size_t j) const {
    return run_.origins.empty() ? 0 : run_.origins[row_[lane]][j] - row.factual[j];
  }

  void note_supports(const ApgIteration& it) {
    for (std::size_t lane = 0; lane < it.active.size(); ++lane)
      if (it.active[lane])
        best_supports_[lane].visit(it.w, lane, objective_.margin()[lane], objective_.cost()[lane], levels_);
  }

  void unload(std::size_t lane, bool finished) {
    const Kept& kept = apg_.best()[lane];
    ApgFound& found = batch_.found[row_[lane]];
    found.valid = kept.valid;
    found.meets_floor = kept.valid && kept.meets_floor;
    found.log_density = kept.log_density;
    found.finite = apg_.count(lane).finite;
    found.timed_out = !finished;
    found.gradients = static_cast<std::size_t>(apg_.count(lane).gradients);
    found.supports = best_supports_[lane].supports();
    const Row& row = batch_.rows[row_[lane]];
    found.cost = kept.cost;
    found.margin = kept.margin + row.required;
    for (std::size_t j = 0; j < columns_; ++j) found.w[j] = offset(row, lane, j) + apg_.best().w()[j][lane];
  }

  const Query& query_;
  const ApgRun& run_;
  const Batch& batch_;
  std::size_t columns_;
  Terms terms_;
  Objective objective_;
  Apg apg_;
  Box box_;
  std::vector<std::size_t> row_;  // of each lane
  std::vector<FloorOrder> orders_;
  std::vector<float> factual_;
  std::vector<BestSupports> best_supports_;
  Landing landing_;
  std::vector<double> at_, w_, price_;
  std::vector<char> levels_;  // true for columns that are levels; empty: there are none
};

}  // namespace

void apg_rows(const Query& query, const ApgRun& run, std::span<const Row> rows, std::span<ApgFound> found) {
  for (ApgFound& row : found) {  // for rows that time does not suffice for
    row = {};
    row.timed_out = true;
    row.w.assign(query.fitted.space.columns(), 0.0);
  }
  // A run that maps iterates to allowed rows does not judge w = 0, and one without a floor need not evaluate
  // the density. Rows that differ in this are run apart: what is done for a row must not depend on the rows
  // beside it.
  for (const auto& [projects, has_floor] :
       {std::pair(false, false), {false, true}, {true, false}, {true, true}}) {
    Batch batch{rows, found, {}, projects, has_floor};
    for (std::size_t i = 0; i < rows.size(); ++i)
      if ((run.projects && Landing::is_needed(query.fitted.space, rows[i])) == projects &&
          rows[i].floor.has_value() == has_floor)
        batch.places.push_back(i);
    if (batch.places.empty()) continue;
    // The first rows are spread over all threads; then a lane that is free takes the next row.
    const std::size_t share = (batch.places.size() + query.pool.threads() - 1) / query.pool.threads();
    const std::size_t lanes = std::min(block_rows, padded(share));
    std::atomic<std::size_t> next = 0;
    query.pool.run([&](std::size_t) { Worker(query, run, batch, lanes).run(next); });
  }
}

}  // namespace scfe
