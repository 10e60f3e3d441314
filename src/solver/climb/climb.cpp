#include "solver/climb/climb.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "solver/climb/climb_step.h"
#include "solver/search/goal.h"
#include "support/random.h"

namespace scfe {
namespace {

struct Pace {
  std::size_t steps, climbs;  // climbs: lanes of one row
};
constexpr Pace nearest{100, 12}, corners{300, 16};
constexpr std::size_t without_density = 4;  // so many climbs, the last ones, if log q is to be maximised
constexpr std::array near_rates = {0.05, 0.1, 0.2, 0.3, 0.1, 0.2};
constexpr std::array corner_rates = {0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.3, 0.5};
constexpr std::size_t starts_to_polish = 8;
constexpr double noisy = 0.16;  // noise as a share of the largest slope, in every second climb

// One of the climbs of a row.
struct Lane : Pulls {
  explicit Lane(std::size_t columns, std::uint64_t seed) : Pulls(columns), w(columns), random(seed) {}

  std::vector<double> w;  // over all columns
  Random random;
  double merit = Goal::unknown;
  std::vector<double> best;  // w
};

// One row; its climbs are the lanes.
class Climb {
 public:
  Climb(const Query& query, const Row& row, bool to_corners)
      : query_(query),
        row_(row),
        to_corners_(to_corners),
        pace_(to_corners ? corners : nearest),
        with_density_(pace_.climbs),
        columns_(query.fitted.space.columns()),
        terms_(query, pace_.climbs),
        u_(columns_, pace_.climbs),
        anchors_(columns_, pace_.climbs),
        step_({query.fitted.space.weight(), row.lo, row.hi,
               static_cast<std::size_t>(query.options.max_changes), query.fitted.space.proximity()}),
        all_(columns_),
        weights_(query.density().weights()) {
    for (Block* block : {&u_, &anchors_}) block->set_lanes(pace_.climbs);
    for (std::size_t lane = 0; lane < pace_.climbs; ++lane) lanes_.emplace_back(columns_, lane);
    for (std::size_t j = 0; j < columns_; ++j) {
      std::fill_n(u_[j], pace_.climbs, static_cast<float>(row.factual[j]));
      if (!row.anchor.empty()) std::fill_n(anchors_[j], pace_.climbs, row.anchor[j]);
    }
    std::iota(all_.begin(), all_.end(), 0);
    goal_.weight = query.fitted.space.weight();
    goal_.proximity = query.fitted.space.proximity();
    goal_.margin = row.required;
    goal_.with_floor = (row.floor || row.demand.most_plausible) && !to_corners;
    goal_.floor = row.demand.most_plausible ? floor_at(query.fitted.density, 1) : row.floor.value_or(0);
    if (row.demand.most_plausible && goal_.with_floor) with_density_ -= without_density;
  }

  Climbed run() {
    Climbed found;
    found.point.w.assign(columns_, 0.0);
    for (std::size_t step = 0; step < pace_.steps && !found.point.timed_out; ++step) {
      terms_.evaluate(u_, anchors_, {1, goal_.with_floor, goal_.with_floor});
      found.point.gradients += pace_.climbs;
      if (step == 0) measure_factual();
      for (std::size_t lane = 0; lane < pace_.climbs; ++lane) {
        if (step > 0) keep(lane);
        average(lane, step);
        go(lane);
      }
      found.point.timed_out = is_past(query_.deadline);
    }
    list_starts(found);
    return found;
  }

 private:
  Probe measured(std::size_t lane) const {
    Probe probe;
    probe.margin = terms_.margins()[0][lane];
    probe.log_density = goal_.with_floor ? terms_.log_density()[lane] : 0;
    return probe;
  }

  bool uses_density(std::size_t lane) const { return goal_.with_floor && lane < with_density_; }

  void measure_factual() {
    const Probe factual = measured(0);
    goal_.margin_scale = std::max(goal_.margin - factual.margin, 1e-6);
    goal_.floor_scale = std::max(goal_.floor - factual.log_density, 1.0);
  }

  void keep(std::size_t l) {
    Lane& lane = lanes_[l];
    const Probe probe = measured(l);
    if (!std::isfinite(probe.margin)) return;
    double merit = -probe.margin;
    if (!to_corners_) {
      Goal goal = goal_;
      goal.with_floor = uses_density(l);
      merit = Goal::infeasible + goal.violation(probe);
      if (goal.feasible(probe)) {
        merit = 0;
        for (std::size_t j = 0; j < columns_; ++j) merit += goal_.proximity.cost(goal_.weight[j], lane.w[j]);
      }
    }
    if (!(merit < lane.merit)) return;
    lane.merit = merit;
    lane.best = lane.w;
  }

  void average(std::size_t l, std::size_t step) {
    Lane& lane = lanes_[l];
    const Block& gradient = terms_.margin_gradient(0);
    double largest = 0;
    for (std::size_t j = 0; j < columns_; ++j) largest = std::max(largest, std::abs(double{gradient[j][l]}));
    const double rate = to_corners_ ? corner_rates[l / 2] : step == 0 ? 1 : near_rates[l / 2];
    const double noise = l % 2 == 0 ? 0 : noisy * largest;
    for (std::size_t j = 0; j < columns_; ++j) {
      const double shake = noise > 0 ? noise * (2 * lane.random.uniform() - 1) : 0;
      lane.slope[j] += rate * (gradient[j][l] + shake - lane.slope[j]);
    }
    if (!uses_density(l)) return;
    if (step % 10 == 0) {  // it changes slowly, and is expensive for some densities
      for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] = terms_.weights()[k][l];
      query_.density().curvature(weights_, all_, lane.kappa);
    }
    const Block& density = terms_.density_gradient();
    for (std::size_t j = 0; j < columns_; ++j)
      lane.pull[j] += rate * (density[j][l] + lane.kappa[j] * lane.w[j] - lane.pull[j]);
  }

  void go(std::size_t l) {
    Lane& lane = lanes_[l];
    double steepest = 0, held = 0;
    for (std::size_t j = 0; j < columns_; ++j) {
      steepest = std::max(steepest, std::abs(lane.slope[j]));
      held += lane.slope[j] * lane.w[j];
    }
    if (!(steepest > 0)) return;
    const double most = 1e4 / steepest;
    const Probe here = measured(l);
    if (uses_density(l)) weigh_floor(lane, here.log_density < goal_.floor, steepest);
    lane.lambda = to_corners_
                      ? most
                      : step_.least_lambda(lane, aimed_by_slopes(goal_.margin) - here.margin + held, most);
    lane.w = step_.to(lane, lane.lambda);
    for (std::size_t j = 0; j < columns_; ++j) u_[j][l] = static_cast<float>(row_.factual[j] + lane.w[j]);
  }

  void weigh_floor(Lane& lane, bool missed, double steepest) {
    if (!missed) {
      lane.mu *= 0.8;
      return;
    }
    double strongest = 0;
    for (const double pull : lane.pull) strongest = std::max(strongest, std::abs(pull));
    if (!(strongest > 0) || !(lane.lambda > 0)) return;
    const double even = lane.lambda * steepest / strongest;  // as strong as the pull of the margin
    lane.mu = std::clamp(1.5 * lane.mu, 0.01 * even, 1e4 * even);
  }

  void list_starts(Climbed& found) {
    const auto first_without = lanes_.begin() + static_cast<std::ptrdiff_t>(with_density_);
    const auto by_merit = [](const Lane& a, const Lane& b) { return a.merit < b.merit; };
    std::stable_sort(lanes_.begin(), first_without, by_merit);
    std::stable_sort(first_without, lanes_.end(), by_merit);
    for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane) {
      if (lane->best.empty() || (lane < first_without && found.starts.size() == starts_to_polish)) continue;
      Start start;
      start.uses_density = lane < first_without;
      for (std::size_t j = 0; j < columns_; ++j) {
        if (lane->best[j] == 0) continue;
        start.support.push_back(static_cast<int>(j));
        start.w.push_back(lane->best[j]);
      }
      if (!start.support.empty()) found.starts.push_back(std::move(start));
    }
    if (lanes_.front().best.empty()) return;
    if (to_corners_) return shorten(lanes_.front().best, found.point);
    // The most plausible answer is rarely as typical as the most typical row, so no climb meets that floor.
    const Lane& best = lanes_[row_.demand.most_plausible ? with_density_ : 0];
    found.point.valid = found.point.meets_floor = best.merit < Goal::infeasible;
    if (found.point.valid) found.point.w = best.best;
  }

  // Tries as many points between the factual and the best corner as there are lanes; keeps the nearest valid
  // one.
  void shorten(const std::vector<double>& w, ApgFound& found) {
    const auto part = [&](std::size_t place) {
      return static_cast<double>(place + 1) / static_cast<double>(pace_.climbs);
    };
    for (std::size_t j = 0; j < columns_; ++j)
      for (std::size_t place = 0; place < pace_.climbs; ++place)
        u_[j][place] = static_cast<float>(row_.factual[j] + part(place) * w[j]);
    terms_.evaluate(u_, anchors_, {0, false, false});
    const float* margin = terms_.margins()[0];
    std::size_t place = 0;
    while (place < pace_.climbs && !(margin[place] >= goal_.margin)) ++place;
    if (place == pace_.climbs) return;
    found.valid = found.meets_floor = true;
    for (std::size_t j = 0; j < columns_; ++j) found.w[j] = part(place) * w[j];
  }

  const Query& query_;
  const Row& row_;
  bool to_corners_;
  Pace pace_;
  std::size_t with_density_;  // so many climbs, the first ones, use the density
  std::size_t columns_;
  Terms terms_;
  Block u_, anchors_;
  Goal goal_;
  std::vector<Lane> lanes_;
  ClimbStep step_;
  std::vector<int> all_;
  std::vector<float> weights_;
};

}  // namespace

std::vector<Climbed> climb(const Query& query, std::span<const Row> rows, bool to_corners) {
  std::vector<Climbed> found(rows.size());
  query.pool.each(rows.size(), [&](std::size_t i) { found[i] = Climb(query, rows[i], to_corners).run(); });
  return found;
}

}  // namespace scfe
