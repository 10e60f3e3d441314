// Selects which few of many features to change, and how far, by climbs along averaged gradients.
//
//     min  sum_j cost(weight_j, w_j)                          squares, or lengths (proximity/proximity.h)
//     subject to  t(x_f + w) >= margin,  log q(x_f + w) >= floor,  |w|_0 <= m,  box
//
//     a <- (1 - r) a + r (∇t(x_f + w) + noise);   b likewise, of ∇log q + kappa w
//     w <- the m columns with the largest gain, each at
//          clip((lambda a_j + mu b_j) / (2 weight_j + mu kappa_j), lo_j, hi_j)
//
// lambda is the least that reaches the margin when extrapolated along a; mu grows while the floor is missed
// and shrinks while it holds. Averaging smooths the kinks of a network, which a single gradient would follow:
// for 97 of 100 MNIST images, 100 steps find 25 of 784 pixels that are nearer than those of 2000 steps of
// apg.
//
// For the most plausible answer (Demand::most_plausible) the floor is the log q of the most typical row of
// the class, so that mu grows all the way. A few climbs then ignore it: if nothing valid is found near the
// others, the search continues from theirs.
//
// If no answer is found, the margin alone counts (to_corners): lambda = infinity goes from corner to corner
// of the box, and 25 pixels suffice for 98 of 100 digits. For numbers only; the starts still need a polish.
#pragma once

#include <span>
#include <vector>

#include "solver/apg/rows.h"
#include "solver/found.h"

namespace scfe {

struct Climbed {
  ApgFound point;             // the best answer, if there was one
  std::vector<Start> starts;  // the best of each climb, best first
};
// `to_corners`: only the margin counts, not the distance and the floor.
std::vector<Climbed> climb(const Query& query, std::span<const Row> rows, bool to_corners);

}  // namespace scfe
