// Tree ensembles, evaluated like ONNX Runtime: float comparisons, a branch for missing values, sums in float
// in the order of the trees. They are piecewise constant, so the gradient is zero by definition; the solver
// for trees does not use gradients.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct TreeNode {
  enum class Mode : std::uint8_t { leaf, leq, lt, gte, gt, eq, neq };
  Mode mode = Mode::leaf;
  bool missing_is_true = false;
  std::uint32_t feature = 0;
  Real value = 0;
  std::uint32_t yes = 0, no = 0;      // nodes
  std::uint32_t first = 0, last = 0;  // leaf: range in `weights`
};
struct LeafWeight {
  std::uint32_t target;
  Real value;
};
enum class Aggregate { sum, average, min, max };

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> roots;
  std::vector<LeafWeight> weights;
  std::vector<Real> base;  // one for each target
  Aggregate aggregate = Aggregate::sum;
  std::size_t features = 0;
  bool probabilities = false;  // leaves hold class probabilities, and no transform follows
};

// x: rows of features; y: rows of targets.
Value trees(Builder& build, const Value& x, Forest forest);

}  // namespace scfe::onnx::inline SCFE_PRECISION
