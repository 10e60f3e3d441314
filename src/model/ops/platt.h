// Class probabilities of a support vector machine from its pairwise decision values (Platt 1999; Wu, Lin and
// Weng 2004).
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// The iteration needs a matrix of classes x classes for each lane, so the number of classes is limited.
inline constexpr std::size_t max_platt_classes = 256;

// duels: D_ij for the pairs i < j in order; a, b: slope and offset per pair. Returns a probability per class.
Value platt(Site& site, const Value& duels, std::size_t classes, const std::vector<Real>& a,
            const std::vector<Real>& b);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
