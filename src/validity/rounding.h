// By how much a margin has to win so that the written row keeps its decision in another runtime.
//
//     required(x) = max(margin that is asked for,  r sum_i |d margin / d x_i| |x_i|)
//
// A model adds products, and another runtime adds them in another order. What that can cost grows with the
// sizes of the products, not with the margin. r is sixteen times the rounding of one number: 2^-20, or 2^-49
// for a model that computes in double. Slopes are those at the row or, where they are steeper, at the nearest
// point of the training range. This is an estimate to first order, against the strongest
// rival, and it counts a feature that the answer may move at its present value. The sum has no unit, so it
// does not depend on how the work space is scaled. Decisions inside a model, which jump where a comparison
// turns, are the business of rounded_margins.h.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "support/parallel.h"
#include "validity/validity.h"

namespace scfe {

// The required margin of each row of the model's inputs.
std::vector<double> required_margins(const Model& model, const Validity& validity,
                                     std::span<const Feature> training_range, const Matrix& inputs,
                                     Pool& pool);

// A solver that computes in single precision aims slightly beyond the required margin and the floor, so that
// the point it ends at is not lost to its own rounding.
inline double aimed_margin(double margin) { return margin + 1e-5; }
inline double aimed_floor(double floor) { return floor + 2e-6 * std::max(1.0, std::abs(floor)); }
// A climb, which moves all features by their slopes alone, aims further.
inline double aimed_by_slopes(double margin) { return margin + 1e-3; }
// What to aim at after a row was not valid as written for the attempt-th time: a thousandth more, then a
// hundredth, then a tenth.
inline double raised_aim(double least, int attempt) {
  return least + std::pow(10.0, attempt - 4) * std::max(1.0, std::abs(least));
}

// A certificate is computed in double, but an answer is what holds in single precision: a bound on all
// answers lets them miss the margin by this.
inline double single_precision_slack(double margin, double factual_margin) {
  return 5e-6 * (1 + std::abs(margin) + std::abs(factual_margin));
}

}  // namespace scfe
