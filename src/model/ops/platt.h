// Probabilities of a support vector machine from the decision values of its duels (Platt 1999; Wu, Lin and
// Weng 2004).
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// The iteration keeps a square of the classes for each lane.
inline constexpr std::size_t max_platt_classes = 256;

// duels: D_ij for the pairs i < j in order; a, b: slope and offset of each. One probability per class.
Value platt(Site& site, const Value& duels, std::size_t classes, const std::vector<Real>& a,
            const std::vector<Real>& b);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
