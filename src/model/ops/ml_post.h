// post_transform of the classifiers and regressors of ai.onnx.ml.
#pragma once

#include "model/onnx/site.h"

namespace scfe::onnx {

// NONE, LOGISTIC, SOFTMAX or SOFTMAX_ZERO along the last axis; Error for PROBIT.
Value post_transform(Site& site, const Value& scores);

// A classifier's outputs from its raw scores: raw for the model's own scores, output 1 for whoever reads
// the probabilities. One raw score of two classes becomes (1 - p, p), or (-s, s) without a transform;
// `probability` says that it is one already.
void classify(Site& site, const Value& raw, bool probability);

}  // namespace scfe::onnx
