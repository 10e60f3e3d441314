#include "model/ops/duels.h"

#include <algorithm>
#include <cmath>

#include "model/ops/activation.h"
#include "model/ops/affine.h"

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// The class that wins most duels wins, the first such class at a tie (like ONNX Runtime). Votes have no
// gradient, so the score is
//
//     score_k = min over j of D_kj,  D_jk = -D_kj;      the winner's score is raised to at least 0
//
// A class that beats all others has the only positive score. If there is none (a beats b, b beats c, c beats
// a), no score is positive, and the winner's 0 is the largest. To win, a class must win its worst duel, and
// the gradient points there.
class Tournament : public Operator {
 public:
  explicit Tournament(std::size_t classes) : classes_(classes) {}

  void forward(const Forward& run) const override {
    for (std::size_t l = 0; l < run.lanes; ++l) {
      for (std::size_t k = 0; k < classes_; ++k) row(run.y, k)[l] = value(run.x[0], worst(run.x[0], k, l), l);
      Real& best = row(run.y, winner(run.x[0], l))[l];
      best = std::max(best, Real{0});
    }
  }
  void backward(const Backward& run) const override {
    for (std::size_t l = 0; l < run.lanes; ++l)
      for (std::size_t k = 0; k < classes_; ++k) {
        const Duel duel = worst(run.x[0], k, l);
        if (row(run.y, k)[l] != value(run.x[0], duel, l)) continue;  // the winner's score, raised to 0
        row(run.dx[0], duel.pair)[l] += duel.sign * row(run.dy, k)[l];
      }
  }
  bool reads_y() const override { return true; }
  double flops() const override { return 3.0 * static_cast<double>(classes_ * classes_); }

 private:
  struct Duel {
    std::size_t pair;
    Real sign;
  };

  Duel duel(std::size_t k, std::size_t j) const {
    const std::size_t a = std::min(k, j), b = std::max(k, j);
    return {a * (2 * classes_ - a - 1) / 2 + b - a - 1, k < j ? 1.0F : -1.0F};
  }
  static Real value(Const duels, Duel duel, std::size_t l) { return duel.sign * row(duels, duel.pair)[l]; }

  Duel worst(Const duels, std::size_t k, std::size_t l) const {
    Duel found = duel(k, k == 0 ? 1 : 0);
    for (std::size_t j = 0; j < classes_; ++j)
      if (j != k && value(duels, duel(k, j), l) < value(duels, found, l)) found = duel(k, j);
    return found;
  }
  std::size_t winner(Const duels, std::size_t l) const {
    std::size_t best = 0, most = 0;
    for (std::size_t k = 0; k < classes_; ++k) {
      std::size_t won = 0;
      for (std::size_t j = 0; j < classes_; ++j)
        if (j != k) won += (row(duels, duel(k, j).pair)[l] > 0) == (k < j);
      if (won > most) best = k, most = won;
    }
    return best;
  }

  std::size_t classes_;
};

// r_ij = 1 / (1 + exp(a_ij D_ij + b_ij)) is the probability that i beats j. The class probabilities p solve
//
//     min over p  of  sum over i, j != i of (r_ji p_i - r_ij p_j)²,   sum p = 1
//
// by the fixed-point iteration of libsvm. ONNX Runtime uses it in single precision with a loose stopping
// rule, so the same iterations are repeated here to get the same numbers. There is no gradient, because the
// scores of the model are the decision values; the probabilities are only reported.
class Coupling : public Operator {
 public:
  explicit Coupling(std::size_t classes) : classes_(classes) {}

  void forward(const Forward& run) const override {
    for (std::size_t l = 0; l < run.lanes; ++l) couple(run, l);
  }
  void backward(const Backward&) const override {}
  bool differentiable() const override { return false; }
  std::size_t scratch() const override { return classes_ * classes_ + classes_; }
  double flops() const override { return 100.0 * 4 * static_cast<double>(classes_ * classes_); }

 private:
  // Q_ii = sum over j of r_ji², Q_ij = -r_ji r_ij, for one lane.
  void square(const Forward& run, std::size_t l) const {
    const auto q = [&](std::size_t i, std::size_t j) -> Real& {
      return row(run.scratch, i * classes_ + j)[l];
    };
    for (std::size_t i = 0; i < classes_; ++i) q(i, i) = 0;
    std::size_t pair = 0;
    for (std::size_t i = 0; i < classes_; ++i)
      for (std::size_t j = i + 1; j < classes_; ++j, ++pair) {
        const Real r = std::clamp(row(run.x[0], pair)[l], Real{1e-7F}, 1 - Real{1e-7F}), other = 1 - r;
        q(i, i) += other * other;
        q(j, j) += r * r;
        q(i, j) = q(j, i) = -r * other;
      }
  }

  void couple(const Forward& run, std::size_t l) const {
    square(run, l);
    const auto n = static_cast<Real>(classes_);
    const auto q = [&](std::size_t i, std::size_t j) { return row(run.scratch, i * classes_ + j)[l]; };
    const auto qp = [&](std::size_t i) -> Real& { return row(run.scratch, classes_ * classes_ + i)[l]; };
    const auto p = [&](std::size_t i) -> Real& { return row(run.y, i)[l]; };
    for (std::size_t i = 0; i < classes_; ++i) p(i) = 1 / n;
    for (int round = 0; round < 100; ++round) {
      Real whole = 0, worst = 0;
      for (std::size_t i = 0; i < classes_; ++i) {
        qp(i) = 0;
        for (std::size_t j = 0; j < classes_; ++j) qp(i) += q(i, j) * p(j);
        whole += p(i) * qp(i);
      }
      for (std::size_t i = 0; i < classes_; ++i) worst = std::max(worst, std::fabs(qp(i) - whole));
      if (worst < 0.005F / n) break;
      for (std::size_t i = 0; i < classes_; ++i) {
        const Real step = (whole - qp(i)) / q(i, i);
        p(i) += step;
        whole = (whole + step * (step * q(i, i) + 2 * qp(i))) / (1 + step) / (1 + step);
        for (std::size_t j = 0; j < classes_; ++j) {
          qp(j) = (qp(j) + step * q(i, j)) / (1 + step);
          p(j) /= 1 + step;
        }
      }
    }
  }

  std::size_t classes_;
};

}  // namespace

Value tournament(Builder& build, const Value& duels, std::size_t classes) {
  return build.emit(std::make_unique<Tournament>(classes), {duels}, {1, static_cast<std::int64_t>(classes)});
}

Value platt(Site& site, const Value& duels, std::size_t classes, const std::vector<Real>& a,
            const std::vector<Real>& b) {
  if (a.size() != duels.rows() || b.size() != duels.rows())
    site.fail("prob_a and prob_b for each pair of classes",
              std::to_string(a.size()) + " and " + std::to_string(b.size()));
  Builder& build = site.build;
  std::vector<Real> scale = a, shift = b;
  for (Real& value : scale) value = -value;
  for (Real& value : shift) value = -value;
  const Value won =
      activate(build, affine(build, duels, std::move(scale), std::move(shift)), kernel::activation_sigmoid);
  return build.emit(std::make_unique<Coupling>(classes), {won}, {1, static_cast<std::int64_t>(classes)});
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
