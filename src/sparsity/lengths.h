// Proximity as a sum of lengths, in the prox together with sparsity and box: sum_j weight_j |w_j| +
// sparsity(w).
//
// It has a kink at 0, where most changes are, so it cannot be part of the smooth terms. For w_j >= 0
//
//     (w - v)² / (2 step) + weight w  =  (w - v')² / (2 step) + (v² - v'²) / (2 step),    v' = v - step
//     weight
//
// and likewise with v' = v + step weight for w_j <= 0. No sparsity prefers the side that v does not lie on,
// and for |v| <= step weight both sides grow from 0 on. Hence the prox of the sum is, exactly, the prox of
// the sparsity at the soft threshold of v: gains, over which l0 and top_m decide, and clamps are those at v'.
// Columns of levels have weight 0 here; their costs are prices (solver/apg/rows.cpp).
#pragma once

#include <memory>
#include <span>

#include "sparsity/prox.h"

namespace scfe {

std::unique_ptr<Prox> with_lengths(std::unique_ptr<Prox> sparsity, std::span<const double> weight);

}  // namespace scfe
