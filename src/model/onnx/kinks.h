// Finds comparisons whose result makes a kink but no jump: both branches have the same value at x = c.
//
//     Where(x > c, a(x), b(x))  with a(c) = b(c)      ReLU, leaky ReLU, ELU, |x| and clips, written out
//     g(x) · [x > c]            with g(c) = 0
#pragma once

#include <set>

#include "model/onnx/graph.h"

namespace scfe::onnx {

std::set<const Node*> kinks_of(const Graph& graph);

}  // namespace scfe::onnx
