#include "method/polytope.h"

#include <algorithm>
#include <cmath>

#include "method/convex.h"
#include "method/mip.h"

namespace scfe {
namespace {

double cost_of(const PolytopeProgram& p, std::span<const double> w) {
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j)
    sum += p.l1 ? std::sqrt(p.weight[j]) * std::abs(w[j]) : p.weight[j] * w[j] * w[j];
  return sum;
}

// Adds the constraints on the columns of the support. False if one of them cannot be met. Constraints that do
// not depend on the support are left out, because they have no interior.
bool add_rows(const PolytopeProgram& p, std::span<const std::size_t> support, ConvexProgram& program) {
  for (std::size_t i = 0; i < p.rows(); ++i) {
    const auto at = [&](std::size_t k) { return p.a[i * p.columns() + support[k]]; };
    double largest = 0;
    for (std::size_t k = 0; k < support.size(); ++k) largest = std::max(largest, std::abs(at(k)));
    if (largest < 1e-12 && p.b[i] < 0) return false;
    if (largest < 1e-12) continue;
    const std::span<double> row = program.add_row(p.b[i]);
    for (std::size_t k = 0; k < support.size(); ++k) row[k] = at(k);
  }
  return true;
}

// Solves with all columns outside the support at 0.
std::optional<PolytopeAnswer> solve_on(const PolytopeProgram& p, std::span<const std::size_t> support) {
  const std::size_t n = support.size(), variables = p.l1 ? 2 * n : n;
  ConvexProgram program(variables);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t j = support[k];
    program.add_box(k, p.lo[j], p.hi[j]);
    if (!p.l1) {
      program.q[k] = p.weight[j];
      continue;
    }
    program.c[n + k] = std::sqrt(p.weight[j]);
    for (const double side : {1.0, -1.0}) {
      const std::span<double> row = program.add_row(0);
      row[k] = side;
      row[n + k] = -1;
    }
    program.add_row(1 + std::max(-p.lo[j], p.hi[j]))[n + k] = 1;
  }
  if (!add_rows(p, support, program)) return {};
  if (p.radius > 0) {
    double rest = p.radius * p.radius;
    program.shape.assign(variables * variables, 0.0);
    program.centre.assign(variables, 0.0);
    for (const double c : p.centre) rest -= c * c;
    for (std::size_t k = 0; k < n; ++k) {
      program.shape[k * variables + k] = 1;
      program.centre[k] = p.centre[support[k]];
      rest += p.centre[support[k]] * p.centre[support[k]];
    }
    if (rest <= 0) return {};
    program.radius = rest;
  }
  std::vector<double> start(variables);
  for (std::size_t k = 0; p.l1 && k < n; ++k) start[n + k] = 0.5;
  const ConvexAnswer solved = solve_convex(program, start);
  if (!solved.feasible) return {};
  PolytopeAnswer answer{std::vector<double>(p.columns()), 0};
  for (std::size_t k = 0; k < n; ++k) answer.w[support[k]] = solved.x[k];
  answer.cost = cost_of(p, answer.w);
  return answer;
}

// Branch and bound over supports: l2 with a limit on changes.
class Supports {
 public:
  Supports(const PolytopeProgram& program, std::span<const std::size_t> movable, double cutoff)
      : p_(program), movable_(movable.begin(), movable.end()), best_(cutoff) {
    choose_row();
  }

  std::optional<PolytopeAnswer> run() {
    choose(0, 0);
    return answer_;
  }

 private:
  double efficiency(std::size_t row, std::size_t j) const {
    const double a = p_.a[row * p_.columns() + j];
    return a * a / p_.weight[j];
  }

  // Chooses the constraint that costs most to meet, and sorts the columns by how much they help to meet it.
  void choose_row() {
    double most = 0;
    for (std::size_t i = 0; i < p_.rows(); ++i) {
      if (p_.b[i] >= 0) continue;
      std::vector<double> all;
      for (const std::size_t j : movable_) all.push_back(efficiency(i, j));
      std::sort(all.rbegin(), all.rend());
      double sum = 0;
      for (std::size_t k = 0; k < std::min(p_.max_changes, all.size()); ++k) sum += all[k];
      const double least = p_.b[i] * p_.b[i] / sum;
      if (least <= most) continue;
      most = least;
      row_ = i;
      need_ = -p_.b[i];
    }
    if (need_ > 0)
      std::ranges::stable_sort(
          movable_, [&](std::size_t x, std::size_t y) { return efficiency(row_, x) > efficiency(row_, y); });
  }

  bool out_of_time() {
    constexpr std::size_t steps_between_looks = 256;
    if (++steps_ < steps_between_looks) return stopped_;
    steps_ = 0;
    return stopped_ = stopped_ || is_past(p_.deadline);
  }

  void choose(std::size_t from, double sum) {
    if (out_of_time()) return;
    if (support_.size() == std::min(p_.max_changes, movable_.size())) return solve();
    const std::size_t left = std::min(p_.max_changes, movable_.size()) - support_.size();
    for (std::size_t k = from; k + left <= movable_.size(); ++k) {
      double top = sum;
      for (std::size_t i = k; need_ > 0 && i < k + left; ++i) top += efficiency(row_, movable_[i]);
      if (need_ > 0 && need_ * need_ / top >= best_) return;
      support_.push_back(movable_[k]);
      choose(k + 1, need_ > 0 ? sum + efficiency(row_, movable_[k]) : 0);
      support_.pop_back();
    }
  }

  // True if some constraint cannot be met on this support, or only at a higher cost than the best answer's.
  bool hopeless() const {
    for (std::size_t i = 0; i < p_.rows(); ++i) {
      if (p_.b[i] >= 0) continue;
      double sum = 0, least = 0;
      for (const std::size_t j : support_) {
        const double a = p_.a[i * p_.columns() + j];
        sum += efficiency(i, j);
        least += a * (a > 0 ? p_.lo[j] : p_.hi[j]);
      }
      if (least > p_.b[i] || p_.b[i] * p_.b[i] / sum >= best_) return true;
    }
    return false;
  }

  void solve() {
    if (hopeless()) return;
    steps_ += 64;  // solving takes about as long as that many steps
    std::optional<PolytopeAnswer> found = solve_on(p_, support_);
    if (!found || found->cost >= best_) return;
    best_ = found->cost;
    answer_ = std::move(found);
  }

  const PolytopeProgram& p_;
  std::vector<std::size_t> movable_, support_;
  std::size_t row_ = 0;
  double need_ = 0, best_;
  std::size_t steps_ = 0;
  bool stopped_ = false;
  std::optional<PolytopeAnswer> answer_;
};

std::optional<PolytopeAnswer> solve_mip(const PolytopeProgram& p) {
  SparseProgram sparse;
  for (std::size_t j = 0; j < p.columns(); ++j) sparse.cost.push_back(std::sqrt(p.weight[j]));
  sparse.lo.assign(p.lo.begin(), p.lo.end());
  sparse.hi.assign(p.hi.begin(), p.hi.end());
  sparse.a = p.a;
  sparse.b = p.b;
  sparse.max_changes = static_cast<int>(p.max_changes);
  sparse.seconds = p.seconds;
  std::optional<std::vector<double>> w = solve_sparse_program(sparse);
  if (!w) return {};
  const double cost = cost_of(p, *w);
  return PolytopeAnswer{std::move(*w), cost};
}

}  // namespace

std::span<double> PolytopeProgram::add_row(double bound) {
  b.push_back(bound);
  a.resize(a.size() + columns(), 0.0);
  return std::span(a).last(columns());
}

std::optional<PolytopeAnswer> solve_polytope(const PolytopeProgram& p, double cutoff) {
  std::vector<std::size_t> movable;
  for (std::size_t j = 0; j < p.columns(); ++j)
    if (p.hi[j] - p.lo[j] > no_room) movable.push_back(j);
  if (movable.empty()) return {};
  const bool limited = p.max_changes < movable.size();
  if (limited && !p.l1) return Supports(p, movable, cutoff).run();
  std::optional<PolytopeAnswer> found = limited ? solve_mip(p) : solve_on(p, movable);
  if (found && found->cost >= cutoff) return {};
  return found;
}

}  // namespace scfe
