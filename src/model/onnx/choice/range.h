// Between which numbers a value of the graph lies, whatever the input: interval arithmetic over its last
// operators (Sigmoid, Softmax, HardSigmoid, Tanh, Exp, Clip, sums, products, quotients, means).
#pragma once

#include "model/onnx/choice/producers.h"

namespace scfe::onnx {

struct Range {
  double low, high;
};

// Infinite ends where nothing is known.
Range range_of(const std::string& value, const Producers& producers);

// Whatever the input reaches the value by goes through a sigmoid, a softmax, an exponential or the like near
// its end: it is not the sum of a linear map, as logits are.
bool is_squashed(const std::string& value, const Producers& producers);

}  // namespace scfe::onnx
