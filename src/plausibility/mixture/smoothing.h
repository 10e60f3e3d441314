// Smoothing of numbers and categories, chosen by leave-one-out likelihood of the product kernel
//
//     K(x, y) = prod_j N(x_j - y_j; h²) · prod_g (1 - lambda_g          if the levels are equal,
//                                                 lambda_g / (L_g - 1)  if they differ)
//
// Gaussian for numbers, Aitchison and Aitken (1976) for a category of L_g levels. All categories share one
// parameter m in (0, 1], the weight of a different level relative to the same one:
//
//     lambda_g = (L_g - 1) m / (1 + (L_g - 1) m)
//
// On one-hot columns scaled by s, two levels have squared distance 2 s². So with s² = -log m a Gaussian of
// width 1 on these columns equals the category kernel up to its normaliser.
//
// Rows with the same numbers are left out of each other's sums; otherwise the likelihood would grow without
// bound as h -> 0. For the same reason h is at least 1/20 of the numbers' spread: integers repeat.
#pragma once

#include <cstdint>

#include "plausibility/groups.h"

namespace scfe {

struct Smoothing {
  double bandwidth = 1;    // h; 1 if there are no numeric columns
  double other_level = 1;  // m
};

// sum_g log(1 - lambda_g)
double log_same_level(const Columns& columns, double other_level);

// A bandwidth above 0 is kept, and only m is chosen.
Smoothing choose_smoothing(const MixedRows& scaled, const Columns& columns, double bandwidth,
                           std::uint64_t seed);

}  // namespace scfe
