// Scores of several classes from pairwise decisions ("duels"); the winner is the same as by counting votes.
#pragma once

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// duels: D_ij for the pairs i < j in order, > 0 where i beats j.
Value tournament(Builder& build, const Value& duels, std::size_t classes);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
