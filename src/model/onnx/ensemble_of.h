// A plan that is a tree ensemble and nothing else, as one: what lies before it (moved columns, scalers,
// one-hot encoders, imputers) goes into its splits.
//
//     scaler        [a x + b <= t]  becomes  [x <= t']   with t' the last float for which the plan says so
//     one-hot       [x == key] <= 1/2  becomes  x != key
//     imputer       a missing value goes where the value that is filled in would go
#pragma once

#include <optional>

#include "model/trees/ensemble.h"
#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

std::optional<Ensemble> ensemble_of(const Plan& plan);

}
}  // namespace scfe::onnx
