// post_transform of the classifiers and regressors of ai.onnx.ml.
#pragma once

#include <string_view>

#include "model/onnx/site.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// NONE, LOGISTIC, SOFTMAX, SOFTMAX_ZERO (along the last axis) or PROBIT: by the node's attribute, or as told.
Value post_transform(Site& site, const Value& scores);
Value post_transform(Site& site, const Value& scores, std::string_view kind);

// A classifier's outputs from its raw scores: raw for the model's own scores, output 1 for whoever reads
// the probabilities. One raw score of two classes becomes (1 - p, p), or (-s, s) without a transform;
// `probability` says that it is one already.
void classify(Site& site, const Value& raw, bool probability);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
