// Wachter, Mittelstadt and Russell (2017): the plain gradient method, a simple baseline.
//
//     min  lambda (p(x) - 1)²  +  |x - x_f|_1          p: probability of the target class
//
// lambda grows tenfold until an answer is valid, then is reduced by bisection. Distances are in the work
// space, where features are divided by their range; the authors divide by the MAD. Solved by `apg` with soft
// thresholding, without a density or a limit on the number of changes.
#include <cmath>

#include "method/methods.h"
#include "sparsity/prox.h"

namespace scfe {
namespace {

// p = sigmoid(t), t: the margin minus the required one.
void squared_miss(std::span<const float> t, float /*kappa*/, float* value, float* slope) {
  for (std::size_t lane = 0; lane < t.size(); ++lane) {
    const float miss = 1 / (1 + std::exp(t[lane]));
    value[lane] = miss * miss;
    slope[lane] = -2 * miss * miss * (1 - miss);
  }
}

constexpr LossRow squared{"squared", "(sigmoid(t) - 1)²", squared_miss};

}  // namespace

void solve_wachter(const Query& query, std::span<const Row> rows, std::span<Found> found) {
  const Options& o = query.options;
  const Fitted& fitted = query.fitted;
  const std::unique_ptr<Prox> prox = make_prox(SparsityKind::l1, {.beta = 1, .max_changes = 0, .group = {}});
  const ApgOptions options{.iterations = o.iterations,
                           .sections = o.sections,
                           .gamma = 1,
                           .step = o.step,
                           .rule = StepRule::backtracking,
                           .keep = Keep::best};
  Weights weights;
  weights.proximity = SquaredL2(std::vector<double>(fitted.space.columns(), 0.0));
  weights.loss = &squared;
  std::vector<ApgFound> points(rows.size());
  apg_rows(query, {.weights = weights, .prox = *prox, .options = options}, without_floor(rows), points);
  write_answers(query, rows, points, found);
}

}  // namespace scfe
