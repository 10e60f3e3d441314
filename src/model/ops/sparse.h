// Sparse linear maps with constant weights:  y_i = fill_i + sum of weight · x_k over the terms (k, weight)
// of i.
//
// With one term of weight 1 this moves rows (Transpose, Slice, Concat, Gather, Pad ...), with several it
// sums and interpolates (ReduceSum, AveragePool, Resize).
#pragma once

#include <vector>

#include "model/onnx/builder.h"

namespace scfe::onnx::inline SCFE_PRECISION {

struct Term {
  std::uint32_t operand, row;
  Real weight;
};

struct SparseMap {
  std::vector<std::uint32_t> begin{0};  // first term of each row, and the end
  std::vector<Term> terms;
  std::vector<Real> fill;  // empty: zeros

  void end_row() { begin.push_back(static_cast<std::uint32_t>(terms.size())); }
  void copy(std::size_t row, std::size_t operand = 0) {
    terms.push_back({static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(row), 1.0F});
    end_row();
  }
};

Value sparse(Builder& build, const std::vector<Value>& x, SparseMap map, Shape shape);
// y_i = x_rows[i]. Returns a view if that is the identity.
Value select(Builder& build, const Value& x, const std::vector<std::uint32_t>& rows, Shape shape);
Value expand(Builder& build, const Value& x, const Shape& shape);
Value transpose(Builder& build, const Value& x, const std::vector<std::size_t>& permutation);
Value concat(Builder& build, const std::vector<Value>& parts, std::size_t axis);
// Takes these positions along one axis, in the given order.
Value take(Builder& build, const Value& x, std::size_t axis, const std::vector<std::size_t>& positions);

}  // namespace scfe::onnx::inline SCFE_PRECISION
