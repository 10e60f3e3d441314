// Recognises a plan that is only a tree ensemble. Preprocessing before the trees (onnx/pieces.h: scalers,
// encoders, imputers, bins, casts, columns in another order) is absorbed into their splits:
//
//     scaler        a x + b <= t       becomes  x <= t'   with t' the largest float for which the plan agrees
//     one-hot       [x == key] <= 1/2  becomes  x != key
//     lookup        v(x) <= t          becomes  x in the set of levels, or a chain of thresholds
//     imputer       a missing value takes the branch that the filled-in value would take
//
// Each split also learns where the library that trained the trees may decide otherwise than the file does,
// because the file has fewer digits: scikit-learn scales in double, rounds to single precision (all but
// histogram boosting) and compares with a threshold in double.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/onnx/graph.h"
#include "model/onnx/plan.h"
#include "model/trees/ensemble.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Recognised {
  std::optional<Ensemble> ensemble;
  std::string obstacle;  // why there is none: the node, and the reason; empty if the plan has no trees
};
// levels: of each input, how many levels it has if it is text, else 0.
Recognised ensemble_of(const Plan& plan, const Graph& graph, std::span<const std::size_t> levels);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
