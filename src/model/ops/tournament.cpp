// The class that wins most duels wins, the first such class at a tie (like ONNX Runtime). Votes have no
// gradient, so the score is
//
//     score_k = min over j of D_kj,  D_jk = -D_kj;      the winner's score is raised to at least 0
//
// A class that beats all others has the only positive score. If there is none (a beats b, b beats c, c beats
// a), no score is positive, and the winner's 0 is the largest. To win, a class must win its worst duel, and
// the gradient points there.
#include "model/ops/tournament.h"

#include <algorithm>

namespace scfe::onnx {
inline namespace SCFE_PRECISION {
namespace {

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

}  // namespace

Value tournament(Builder& build, const Value& duels, std::size_t classes) {
  return build.emit(std::make_unique<Tournament>(classes), {duels}, {1, static_cast<std::int64_t>(classes)});
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
