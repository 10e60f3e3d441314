#include "solver/exact/linear.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "actionability/links.h"
#include "solver/exact/linear_pieces.h"

namespace scfe {
namespace {

constexpr std::size_t patience = 20000000;  // moves tried for one row
constexpr double sum_tolerance = 1e-12;
constexpr double tolerance = 1e-4;  // of the distance

// The margin as the model itself computes it, one row at a time.
class Margin {
 public:
  Margin(const Query& query)
      : query_(query), tape_(query.fitted.model.tape(1)), inputs_(query.fitted.space.inputs()) {}
  double operator()(std::span<const double> values) {
    query_.fitted.space.to_inputs(values, inputs_);
    double z = 0;
    query_.fitted.model.forward_one(inputs_, {&z, 1}, *tape_);
    return query_.target == 1 ? z : -z;
  }

 private:
  const Query& query_;
  std::unique_ptr<Model::Tape> tape_;
  std::vector<double> inputs_;
};

class LinearRow {
 public:
  explicit LinearRow(const Query& query)
      : query_(query),
        proximity_(query.fitted.space.proximity()),
        score_(additive(query.fitted.model)),
        margin_(query) {}

  void run(const Row& row, Found& found) {
    found = {};
    row_ = &row;
    found.values = row.values;
    found.margin = margin_(row.values);
    found.proven = true;
    if (!std::isfinite(found.margin)) {
      found.status = Status::not_finite;
      found.proven = false;
      return;
    }
    if (wins(found.margin)) {
      found.status = Status::already;
      return;
    }
    pieces_ = linear_pieces(query_, *score_, row);
    const double need = row_->required - found.margin, doubt = rounding();
    // The cheapest change that could be valid if all rounding errors helped: nothing cheaper is valid. If
    // they alone could make the row valid, there is no such bound.
    const bool bounded = need > doubt;
    solve(bounded ? need - doubt : need);
    const double bound = bounded ? best_ : 0;
    const std::size_t fewest = changes();
    bool complete = complete_;
    // If it is not valid, aim higher step by step, at last beyond the possible rounding error.
    for (const double aim : {0.0, 0.1 * doubt, doubt, 4 * doubt}) {
      if (best_values_.empty() || holds()) break;
      solve(need + aim);
      complete = complete && complete_;
    }
    found.timed_out = !complete && is_past(query_.deadline);
    answer(found);
    const bool same = changes() == fewest || !query_.options.fewest_first;
    found.proven =
        complete && (std::isinf(bound) || (holds() && same && best_ <= bound * (1 + tolerance_of_costs())));
    found.lower_bound = complete && std::isfinite(bound) ? bound : 0;
  }

 private:
  double tolerance_of_costs() const { return proximity_.squared ? 2 * tolerance : tolerance; }
  // At margin 0 class 0 wins.
  bool wins(double margin) const { return margin >= row_->required && (margin > 0 || query_.target == 0); }
  bool holds() { return !best_values_.empty() && wins(margin_(best_values_)); }

  bool is_changed(std::size_t f) const {
    return best_values_[f] != row_->values[f] && !query_.fitted.space.is_derived(f);
  }
  std::size_t changes() const {
    std::size_t count = 0;
    for (std::size_t f = 0; f < best_values_.size(); ++f) count += is_changed(f);
    return count;
  }

  // A bound of the difference between the model's rounded sums and those of the pieces, within the limits.
  double rounding() const {
    const std::size_t inputs = query_.fitted.space.inputs();
    double size = score_->constant_size();
    std::vector<double> x(inputs);
    query_.fitted.space.to_inputs(row_->values, x);
    for (std::size_t j = 0; j < inputs; ++j) size += score_->size(j, x[j]);
    for (const LinearPiece& piece : pieces_) {
      double most = piece.slope * piece.reach;
      for (const LinearOption& option : piece.options) most = std::max(most, option.gain);
      size += most;
    }
    return score_->roundings() * size;
  }

  void answer(Found& found) {
    found.status = found.timed_out ? Status::time_limit : Status::not_found;
    if (!holds()) return;
    found.status = Status::valid;
    found.values = best_values_;
    found.margin = margin_(best_values_);
    for (std::size_t f = 0; f < best_values_.size(); ++f)
      if (is_changed(f)) found.support.push_back(static_cast<int>(f));
  }

  void solve(double need) {
    best_ = INFINITY;
    best_values_.clear();
    complete_ = true;
    moves_ = 0;
    const std::size_t sizes = std::min(static_cast<std::size_t>(query_.options.max_changes), pieces_.size());
    for (size_ = 1; size_ <= sizes; ++size_) {
      values_ = row_->values;
      numbers_.clear();
      choose(0, 0, need, 0);
      if (query_.options.fewest_first && !best_values_.empty()) return;
    }
  }

  bool tired() {
    if (++moves_ > patience || ((moves_ & 1023) == 0 && is_past(query_.deadline))) complete_ = false;
    return !complete_;
  }

  // Chooses the next feature of the support, from piece `from` on; numbers are solved once all levels are
  // chosen.
  void choose(std::size_t from, std::size_t chosen, double need, double cost) {
    if (chosen == size_) return fill_numbers(need, cost);
    for (std::size_t p = from; p + (size_ - chosen) <= pieces_.size(); ++p) {
      if (need > 0 && cost + least_cost(need, p, size_ - chosen) >= best_) return;
      if (tired()) return;
      const LinearPiece& piece = pieces_[p];
      if (piece.number) {
        numbers_.push_back(p);
        choose(p + 1, chosen + 1, need, cost);
        numbers_.pop_back();
        continue;
      }
      for (const LinearOption& option : piece.options) {
        if (cost + option.cost >= best_) continue;
        values_[piece.feature] = option.value;
        choose(p + 1, chosen + 1, need - option.gain, cost + option.cost);
      }
      values_[piece.feature] = row_->values[piece.feature];
    }
  }

  // A lower bound of the cost of gaining `need` > 0 with the chosen numbers and `more` pieces from `from` on.
  // Pieces are sorted, so that chosen numbers are at least as efficient as those that follow.
  double least_cost(double need, std::size_t from, std::size_t more) const {
    if (proximity_.squared) {
      double top = 0;
      for (const std::size_t n : numbers_) top += pieces_[n].efficiency;
      for (std::size_t q = from; q < from + more; ++q) top += pieces_[q].efficiency;
      return need * need / top;
    }
    double cost = 0;
    for (const std::size_t n : numbers_) {
      const double gained = std::min(need, pieces_[n].slope * pieces_[n].reach);
      cost += gained / pieces_[n].efficiency;
      need -= gained;
    }
    return cost + need / pieces_[from].efficiency;
  }

  void fill_numbers(double need, double cost) {
    order_ = numbers_;
    // The finest numbers come last, and those without a step after them.
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return steps(a) < steps(b); });
    place(0, need, cost);
  }
  double steps(std::size_t p) const {
    const double step = query_.fitted.writing.step[pieces_[p].feature];
    return step > 0 ? pieces_[p].reach / step : INFINITY;
  }

  // The least cost of gaining `need` with the numbers from `at` on, without steps; and d of the first of
  // them.
  double relaxed(std::size_t at, double need, double& first) const {
    first = 0;
    if (need <= 0) return 0;
    if (!proximity_.squared) return relaxed_lengths(at, need, first);
    std::vector<char> full(order_.size(), 0);
    for (;;) {
      double left = need, total = 0, cost = 0;
      for (std::size_t i = at; i < order_.size(); ++i) {
        const LinearPiece& piece = pieces_[order_[i]];
        if (full[i] != 0) {
          left -= piece.slope * piece.reach;
          cost += piece.weight * piece.reach * piece.reach;
        } else {
          total += piece.efficiency;
        }
      }
      if (left > 0 && total == 0) return INFINITY;
      const double level = left > 0 ? left / total : 0;  // d = level a / c
      bool clipped = false;
      for (std::size_t i = at; i < order_.size(); ++i) {
        const LinearPiece& piece = pieces_[order_[i]];
        if (full[i] == 0 && level * piece.slope / piece.weight > piece.reach) full[i] = clipped = true;
      }
      if (clipped) continue;
      const LinearPiece& piece = pieces_[order_[at]];
      first = full[at] != 0 ? piece.reach : level * piece.slope / piece.weight;
      return cost + (left > 0 ? left * left / total : 0);
    }
  }

  // The same for lengths: the most efficient first, each up to its limit.
  double relaxed_lengths(std::size_t at, double need, double& first) const {
    std::vector<std::size_t> sorted(order_.begin() + static_cast<std::ptrdiff_t>(at), order_.end());
    std::ranges::sort(sorted);  // as pieces are sorted by efficiency
    double cost = 0;
    for (const std::size_t p : sorted) {
      const LinearPiece& piece = pieces_[p];
      const double d = std::min(need / piece.slope, piece.reach);
      if (p == order_[at]) first = d;
      cost += piece.weight * d;
      need = d < piece.reach ? 0 : need - piece.slope * d;
      if (need <= 0) return cost;
    }
    return need > sum_tolerance ? INFINITY : cost;
  }

  void place(std::size_t at, double need, double cost) {
    if (at == order_.size()) {
      if (need <= sum_tolerance) keep(cost);
      return;
    }
    if (tired()) return;
    double d = 0;
    if (cost + relaxed(at, need, d) >= best_) return;
    const LinearPiece& piece = pieces_[order_[at]];
    const bool last = at + 1 == order_.size(), stepped = query_.fitted.writing.step[piece.feature] > 0;
    // Lengths may be cheapest without this number; steps of the others can still make it worth one of its
    // own.
    if (!proximity_.squared && stepped && !last && d == 0)
      d = 0.5 * query_.fitted.writing.step[piece.feature];
    const double x = row_->values[piece.feature] + piece.sign * d;
    const int outwards = piece.sign > 0 ? 1 : -1;
    if (last || !stepped) {
      double value = query_.fitted.writing.neighbour(piece.feature, x, outwards);
      if (!stepped && last) value = beyond(piece, value, need);
      try_value(at, value, need, cost);
      return;
    }
    for (const int direction : {1, -1})
      for (int away = 1;; ++away)
        if (!try_value(at, query_.fitted.writing.neighbour(piece.feature, x, direction * away), need, cost))
          break;
  }

  // A number rounded to nine digits may gain too little: moves it on by units of the last digit.
  double beyond(const LinearPiece& piece, double value, double need) const {
    const double x = row_->values[piece.feature];
    for (int i = 0; i < 4 && piece.slope * piece.sign * (value - x) < need; ++i) {
      const double unit = std::pow(10.0, std::floor(std::log10(std::max(std::abs(value), 1e-300))) - 8);
      value = query_.fitted.writing.nearest(piece.feature, value + piece.sign * unit);
    }
    return value;
  }

  // False if no value further in this direction can be better.
  bool try_value(std::size_t at, double value, double need, double cost) {
    const LinearPiece& piece = pieces_[order_[at]];
    const double d = piece.sign * (value - row_->values[piece.feature]);
    if (d <= 0 || d > piece.reach * (1 + 1e-12) || tired()) return false;
    const double here = cost + proximity_.cost(piece.weight, d), left = need - piece.slope * d;
    double unused = 0;
    const double bound =
        at + 1 == order_.size() ? (left > sum_tolerance ? INFINITY : 0) : relaxed(at + 1, left, unused);
    if (std::isinf(bound) && at + 1 == order_.size()) return true;
    if (here + bound >= best_) return false;
    values_[piece.feature] = value;
    place(at + 1, left, here);
    values_[piece.feature] = row_->values[piece.feature];
    return true;
  }

  void keep(double cost) {
    if (cost >= best_) return;
    best_ = cost;
    best_values_ = values_;
    if (row_->links != nullptr) row_->links->complete(best_values_);
  }

  const Query& query_;
  Proximity proximity_;
  std::shared_ptr<const Additive> score_;
  Margin margin_;
  const Row* row_ = nullptr;
  std::vector<LinearPiece> pieces_;
  std::size_t size_ = 0, moves_ = 0;
  std::vector<std::size_t> numbers_, order_;
  std::vector<double> values_, best_values_;
  double best_ = 0;
  bool complete_ = true;
};

}  // namespace

void exact_linear_rows(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  std::atomic<std::size_t> next = 0;
  query.pool.run([&](std::size_t) {
    LinearRow solver(query);
    for (std::size_t i = next++; i < rows.size(); i = next++) solver.run(rows[i], found[i]);
  });
}

}  // namespace scfe
