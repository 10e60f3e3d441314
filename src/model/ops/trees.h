// Tree ensembles, predicted as ONNX Runtime does: float comparisons, missing values by their own branch,
// sums in float in the order of the trees. Constant on cells, so the gradient is zero by definition; the
// solver for them does not use one.
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct TreeNode {
  enum class Mode : std::uint8_t { leaf, leq, lt, gte, gt, eq, neq };
  Mode mode = Mode::leaf;
  bool missing_is_true = false;
  std::uint32_t feature = 0;
  Real value = 0;
  std::uint32_t yes = 0, no = 0;      // nodes
  std::uint32_t first = 0, last = 0;  // of a leaf: its weights
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
  bool probabilities = false;  // leaves hold shares of the classes, and nothing is made of their sums
};

// x: rows of features; y: rows of targets.
Value trees(Builder& build, const Value& x, Forest forest);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
