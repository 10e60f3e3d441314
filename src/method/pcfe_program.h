// One convex program of PCFE: the closest point within a Gaussian's ellipsoid, the limits, and the class.
//
//     min  sum weight w²  or  sum sqrt(weight) |w|
//     s.t. margins(x_f + w) >= required,   lo <= w <= hi,
//          (x_f + w - centre)' shape (x_f + w - centre) <= radius
#pragma once

#include <span>
#include <vector>

#include "method/pieces.h"
#include "plausibility/mixture/gaussian.h"

namespace scfe {

struct Ellipsoid {
  std::vector<double> shape, centre;  // in the work space
  double radius;
};
// An ellipsoid for each of the mixture's Gaussians that can meet the threshold, which is the median over the
// rows of min_j (Mahalanobis² + c_j), c_j = -2 log pi_j + d log 2 pi + log det Sigma_j.
std::vector<Ellipsoid> plausible_ellipsoids(const GaussianMixture& mixture, const Matrix& rows);

struct PcfeProgram {
  std::span<const double> factual, lo, hi, weight;
  const Ellipsoid& ellipsoid;
  const Pieces* pieces = nullptr;  // a linear model; null: the limits alone imply the class
  double required = 0;
  bool l1 = false;
};
struct PcfeAnswer {
  std::vector<double> w;  // empty: there is no answer
  double cost = 0;
};
PcfeAnswer solve_pcfe_program(const PcfeProgram& program);

}  // namespace scfe
