// Scores and probabilities of several classes from the pairwise decisions ("duels") of a support vector
// machine: D_ij for the pairs i < j in order, > 0 where i beats j.
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// A score per class; the winner is the same as by counting votes.
Value tournament(Builder& build, const Value& duels, std::size_t classes);

// The iteration needs a matrix of classes x classes for each lane, so the number of classes is limited.
inline constexpr std::size_t max_platt_classes = 256;

// A probability per class (Platt 1999; Wu, Lin and Weng 2004). a, b: slope and offset per pair.
Value platt(Site& site, const Value& duels, std::size_t classes, const std::vector<Real>& a,
            const std::vector<Real>& b);

}  // namespace scfe::onnx::inline SCFE_PRECISION
