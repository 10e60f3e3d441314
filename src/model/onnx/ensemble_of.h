// Recognises a plan that is only a tree ensemble. Preprocessing before the trees (reordered columns, scalers,
// one-hot encoders, imputers) is absorbed into their splits:
//
//     scaler        a x + b <= t       becomes  x <= t'   with t' the largest float for which the plan agrees
//     one-hot       [x == key] <= 1/2  becomes  x != key
//     imputer       a missing value takes the branch that the filled-in value would take
//
// Each split also learns where the library that trained the trees may decide otherwise than the file does,
// because the file has fewer digits: scikit-learn scales in double, rounds to single precision (all but
// histogram boosting) and compares with a threshold in double.
#pragma once

#include <optional>

#include "model/onnx/graph.h"
#include "model/onnx/plan.h"
#include "model/trees/ensemble.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

std::optional<Ensemble> ensemble_of(const Plan& plan, const Graph& graph);

}
}  // namespace scfe::onnx
