// Bounds on a value of the graph that hold for every input: interval arithmetic over the operators that
// produce it (Sigmoid, Softmax, HardSigmoid, Tanh, Exp, Clip, sums, products, quotients, means).
#pragma once

#include "model/onnx/choice/producers.h"

namespace scfe::onnx {

struct Range {
  double low, high;
};

// The bounds are infinite if nothing is known.
Range range_of(const std::string& value, const Producers& producers);

// True if every path from the input to the value ends, a few operators before it, in a sigmoid, a softmax, an
// exponential or the like. Logits are not: they are the result of a linear map.
bool is_squashed(const std::string& value, const Producers& producers);

}  // namespace scfe::onnx
