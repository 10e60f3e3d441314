// How much to smooth numbers and categories, by leave-one-out likelihood of the product kernel
//
//     K(x, y)  = prod_j N(x_j - y_j; h²) · prod_g (1 - lambda_g  or, where levels differ, lambda_g / (L_g -
//     1))
//
// Gaussian for numbers; for a category of L levels that of Aitchison and Aitken (1976). One number m = what
// another level weighs next to the same one serves all categories: lambda_g = (L_g - 1) m / (1 + (L_g - 1)
// m), m in (0, 1]. On one-hot columns scaled by s, another level is at squared distance 2 s²; so a Gaussian
// of width 1 on them is this kernel up to its normaliser, with s² = -log m = log((1 - lambda)(L - 1) /
// lambda).
//
// Rows that share all numbers are left out of each other's sums: else the likelihood would grow without bound
// as h -> 0. For the same reason h is at least a twentieth of the numbers' spread: integers repeat.
#pragma once

#include <cstdint>

#include "plausibility/groups.h"

namespace scfe {

struct Smoothing {
  double bandwidth = 1;    // h; 1 if there are no numbers
  double other_level = 1;  // m
};

// sum_g log(1 - lambda_g)
double log_same_level(const Columns& columns, double other_level);

// bandwidth above 0: that one, and only m is chosen.
Smoothing choose_smoothing(const Matrix& scaled, const Columns& columns, double bandwidth,
                           std::uint64_t seed);

}  // namespace scfe
