// post_transform of the classifiers and regressors of ai.onnx.ml.
#pragma once

#include <string_view>

#include "model/onnx/site.h"

namespace scfe::onnx::inline SCFE_PRECISION {

// Applies the node's post_transform, or `kind`: NONE, LOGISTIC, PROBIT, or SOFTMAX and SOFTMAX_ZERO along the
// last axis.
Value post_transform(Site& site, const Value& scores);
Value post_transform(Site& site, const Value& scores, std::string_view kind);

// Sets a classifier's outputs from its raw scores: the raw scores, which the model uses, and output 1, the
// probabilities. A single raw score s of two classes becomes (1 - p, p), or (-s, s) without a transform.
// `probability`: the single score is already a probability.
void classify(Site& site, const Value& raw, bool probability);

}  // namespace scfe::onnx::inline SCFE_PRECISION
