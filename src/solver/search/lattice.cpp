#include "solver/search/lattice.h"

#include <algorithm>
#include <cmath>

namespace scfe {
namespace {

constexpr std::size_t near_values = 4;    // of a coarser number: two on either side
constexpr double most_combinations = 64;  // of the coarser numbers' values
constexpr std::size_t lines_at_once = 8;

}  // namespace

Lattice::Lattice(Lanes& lanes, const Goal& goal, Answer& answer)
    : lanes_(lanes),
      space_(lanes.terms().query().fitted.space),
      writing_(lanes.terms().query().fitted.writing),
      goal_(goal),
      answer_(answer) {}

void Lattice::begin(const Row& row) {
  row_ = &row;
  axes_ = make_axes(space_, writing_, row);
}

void Lattice::accept(const std::vector<double>& values, double cost, const Probe& measured) {
  if (!goal_.feasible(measured)) return;
  const double objective = goal_.objective(cost, measured.log_density);
  if (!(objective < answer_.objective)) return;
  if (row_->rejects(values)) return;
  answer_.set(values, objective, measured.margin, measured.log_density);
}

void Lattice::add(const Point& polished, std::vector<double> values) {
  near_ = std::move(values);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < polished.support.size(); ++i) {
    const auto j = static_cast<std::size_t>(polished.support[i]);
    const std::size_t f = space_.feature_of(j);
    const bool stays = !goal_.proximity.squared && polished.w[i] == 0;
    if (!(axes_[f].step > 0)) continue;  // it cannot change
    near_[f] = stays ? row_->values[f] : space_.to_original(j, row_->factual[j] + polished.w[i]);
    numbers.push_back(f);
  }
  dependents_ = take_dependents(numbers);
  const auto least = std::ranges::min_element(numbers, {}, [&](std::size_t f) { return fineness(f); });
  if (least == numbers.end() && dependents_.empty()) return;
  const bool determined = least == numbers.end();  // the finest number is a dependent itself
  finest_ = determined ? dependents_.front().feature : *least;
  if (determined)
    near_[finest_] = row_->values[finest_];
  else
    numbers.erase(least);
  list_values(numbers);
  chosen_ = near_;
  if (goal_.tau > 0)
    add_points();
  else
    add_lines(polished);
}

// The nearest writable values of the coarser numbers, within their limits.
void Lattice::list_values(std::span<const std::size_t> numbers) {
  const double share = std::pow(most_combinations, 1 / std::max(1.0, static_cast<double>(numbers.size())));
  const int most = std::min(goal_.tau > 0 ? 2 : 64, static_cast<int>(share * (1 + 1e-9)));
  coarse_.clear();
  combinations_ = 1;
  for (const std::size_t f : numbers) {
    std::vector<double>& values = coarse_.emplace_back(Coarse{f, {}, {}}).values;
    const auto take = [&](double value) {
      if (value >= axes_[f].lo && value <= axes_[f].hi && std::ranges::find(values, value) == values.end())
        values.push_back(value);
    };
    if (most == 1) take(writing_.nearest(f, near_[f]));
    for (int away = 1; 2 * away <= most; ++away) {
      take(writing_.neighbour(f, near_[f], -away));
      take(writing_.neighbour(f, near_[f], away));
    }
    // At a limit there may be no writable value on either side of it.
    if (values.empty()) values.push_back(std::clamp(near_[f], axes_[f].lo, axes_[f].hi));
    combinations_ *= values.size();
    for (const double value : values) coarse_.back().costs.push_back(space_.cost(f, row_->values[f], value));
  }
}

// Sets the coarser numbers of chosen_ to a combination of their values. True if all of them are near values.
bool Lattice::choose(std::size_t place) {
  bool is_near = true;
  coarse_cost_ = 0;
  for (const Coarse& coarse : coarse_) {
    const std::size_t i = place % coarse.values.size();
    chosen_[coarse.feature] = coarse.values[i];
    coarse_cost_ += coarse.costs[i];
    is_near = is_near && i < near_values;
    place /= coarse.values.size();
  }
  return is_near;
}

// A line for every choice of near values, and for those farther away that are predicted to be cheaper than
// all of these. Where the cost of a change is its length, one number's steps pay for another's, and these may
// be far.
void Lattice::add_lines(const Point& polished) {
  const double x = row_->values[finest_], near = near_[finest_], step = axes_[finest_].step;
  const double side = near < x ? -1 : 1;
  double least = answer_.objective, other_cost = 0;
  for (std::size_t f = 0; f < near_.size(); ++f)
    if (f != finest_ && std::ranges::find(coarse_, f, &Coarse::feature) == coarse_.end())
      other_cost += space_.cost(f, row_->values[f], near_[f]);
  for (const bool is_near : {true, false})
    for (std::size_t place = 0; place < combinations_; ++place) {
      if (choose(place) != is_near) continue;
      if (!dependents_.empty()) {
        if (is_near) add_line(side, std::floor(std::abs(near - x) / step));
        continue;
      }
      const auto add = [&](double to) {
        const double at = steps_needed(polished, to);
        const double price = other_cost + coarse_cost_ + space_.cost(finest_, x, x + to * at * step);
        if (is_near || price < least) add_line(to, at);
        least = std::min(least, price);
      };
      add(side);
      // Lengths leave the less efficient numbers where they are; rounding the others may need them either
      // way.
      if (near == x) add(-side);
    }
}

// Where log q is maximised, the fewest steps need not be the best: the nearest values of the finest, too.
void Lattice::add_points() {
  const double x = row_->values[finest_], at = std::abs(near_[finest_] - x) / axes_[finest_].step;
  const double side = near_[finest_] < x ? -1 : 1;
  for (std::size_t place = 0; place < combinations_; ++place) {
    choose(place);
    add_line(side, std::floor(at), true);
    add_line(side, std::ceil(at), true);
  }
}

// How many steps of the finest number are needed at chosen_, by the linearised margins and log q.
double Lattice::steps_needed(const Point& polished, double side) const {
  const std::size_t column = space_.first(finest_);
  const double step = side * axes_[finest_].step / space_.scale(column);
  double needed = 0;
  const auto demand = [&](double slack, const float* slope) {
    for (const Coarse& coarse : coarse_) {
      const std::size_t f = coarse.feature, j = space_.first(f);
      slack += static_cast<double>(slope[j]) * (chosen_[f] - near_[f]) / space_.scale(j);
    }
    const double gain = slope[column] * step;
    slack -= slope[column] * (near_[finest_] - row_->values[finest_]) / space_.scale(column);
    if (gain > 0) needed = std::max(needed, -slack / gain);
  };
  for (std::size_t r = 0; r < lanes_.terms().query().validity.rivals(); ++r)
    demand(polished.margin[r] - goal_.margin, polished.gradient_of(r));
  if (goal_.with_floor) demand(polished.log_density - goal_.floor, polished.density_gradient.data());
  return std::ceil(needed);
}

// A line at chosen_ that begins at so many steps, or only that point.
void Lattice::add_line(double side, double at, bool is_point) {
  const Axis& axis = axes_[finest_];
  const double x = row_->values[finest_];
  Line line{.row = RowForms(space_), .values = chosen_, .dependents = dependents_};
  line.values[finest_] = x;
  for (const Dependent& d : dependents_) line.values[d.feature] = row_->values[d.feature];
  line.feature = finest_;
  line.side = side;
  line.base_cost = cost_of(line.values);
  line.unit = space_.cost(finest_, x, x + axis.step);
  const bool determined = !dependents_.empty() && dependents_.front().feature == finest_;
  const double reach = (side < 0 ? x - axis.lo : axis.hi - x) / axis.step;
  line.last = determined ? 0 : std::min(std::floor(reach * (1 + 1e-12) + 1e-9), affordable(line));
  if (!(line.last >= 0)) return;
  line.row.set(space_, line.values);
  line.at = std::min(at, line.last);
  line.price = line.base_cost + space_.cost(finest_, x, x + side * at * axis.step);
  if (!dependents_.empty())
    line.stride = std::max(1.0, std::floor(0.002 * space_.range(finest_) / axis.step));
  if (row_->links != nullptr && !clip(line)) return;
  const auto add_point = [&](double steps) {
    Line point = line;
    point.first = point.last = point.at = steps;
    lines_.push_back(std::move(point));
  };
  if (is_point) return add_point(line.at);
  // If other numbers depend on this one, the fewest steps need not be the cheapest, so its neighbours are
  // tried one by one.
  if (!dependents_.empty())
    for (double near = std::max(line.first, line.at - 2); near <= std::min(line.last, line.at + 3); ++near)
      add_point(near);
  lines_.push_back(std::move(line));
}

double Lattice::value_at(const Line& line, double steps) const {
  const double x = row_->values[line.feature];
  return steps == 0 ? x : writing_.nearest(line.feature, x + line.side * steps * axes_[line.feature].step);
}

// The most steps that would be closer than the answer so far; below 0 if there are none.
double Lattice::affordable(const Line& line) const {
  if (goal_.tau > 0 || !answer_.holds()) return INFINITY;
  const double left = answer_.objective - line.base_cost;
  return left > 0 ? std::floor(goal_.proximity.length(left / line.unit)) : -1;
}

// Limits the next step of a line to what is affordable. False if nothing is left of the line.
bool Lattice::aim(Line& line) const {
  line.at = std::min({line.at, line.last, affordable(line)});
  return line.active && line.at >= line.first && line.at > line.outside;
}

// Some lines side by side, the cheapest first.
Task Lattice::walk() {
  std::ranges::stable_sort(lines_, {}, &Line::price);
  std::vector<std::size_t> at_work;
  for (std::size_t next = 0;;) {
    std::erase_if(at_work, [&](std::size_t i) { return !aim(lines_[i]); });
    for (; next < lines_.size() && at_work.size() < lines_at_once; ++next)
      if (aim(lines_[next])) at_work.push_back(next);
    if (at_work.empty()) break;
    probes_.clear();
    for (const std::size_t i : at_work) {
      Line& line = lines_[i];
      if (row_->links != nullptr) place(line, line.at);
      const int feature = row_->links != nullptr ? -1 : static_cast<int>(line.feature);
      probes_.push_back({&line.row, feature, value_at(line, line.at)});
    }
    co_await lanes_.measure(*row_, probes_);
    for (std::size_t k = 0; k < at_work.size(); ++k) advance(lines_[at_work[k]], probes_[k]);
    if (lanes_.out_of_time()) break;
  }
  lines_.clear();
}

void Lattice::advance(Line& line, const Probe& probe) {
  if (row_->links == nullptr) line.values[line.feature] = probe.value;
  const bool holds = goal_.feasible(probe) && keeps_limits(line);
  if (holds) {
    double cost = line.base_cost;
    const auto pay = [&](std::size_t f) { cost += space_.cost(f, row_->values[f], line.values[f]); };
    for (const Dependent& d : line.dependents) pay(d.feature);
    if (line.dependents.empty() || line.dependents.front().feature != line.feature) pay(line.feature);
    accept(line.values, cost, probe);
  }
  (holds ? line.inside : line.outside) = line.at;
  if (line.inside >= 0 && line.outside >= 0) {
    line.active = line.inside - line.outside > 1;
    line.at = std::floor((line.inside + line.outside) / 2);
    return;
  }
  // Steps away from the factual until it is feasible, or towards it until it is not.
  const double to =
      holds ? std::max(line.first, line.at - line.stride) : std::min(line.last, line.at + line.stride);
  line.active = to != line.at;
  line.at = to;
  line.stride *= 3;
}

}  // namespace scfe
