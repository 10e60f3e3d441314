// One number of a plan that is computed from a single model input, as a function of that input.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// A chain of scalings, comparisons with a key, filled-in values and other monotone functions.
struct Column {
  struct Stage {
    RowOrigin::Kind kind = RowOrigin::Kind::affine;
    bool rounds = false;
    Real scale = 1, shift = 0;
    Real value = 0;  // equal: the key; filled: what replaces a missing value; mapped: the other operand
    Real (*map)(Real, Real) = nullptr;  // mapped: a monotone function, with x as its first or second operand
    bool second = false;

    Real operator()(Real x) const {
      if (kind == RowOrigin::Kind::equal) return x == value ? 1.0F : 0.0F;
      if (kind == RowOrigin::Kind::mapped) return second ? map(value, x) : map(x, value);
      if (kind == RowOrigin::Kind::filled) return std::isnan(x) ? value : x;
      return scale * (rounds ? static_cast<Real>(static_cast<float>(x)) : x) + shift;
    }
  };
  std::uint32_t input = 0;
  std::vector<Stage> stages;  // in order, the first reads the input

  // The value of the row, rounded exactly as the steps of the plan round it.
  Real operator()(Real x) const {
    for (const Stage& stage : stages) x = stage(x);
    return x;
  }
  // True if every number passes through unchanged: filling in missing values does not change numbers.
  bool plain() const { return count(RowOrigin::Kind::filled) == stages.size(); }
  bool monotone() const { return count(RowOrigin::Kind::equal) == 0; }
  std::size_t count(RowOrigin::Kind kind) const {
    return static_cast<std::size_t>(std::ranges::count(stages, kind, &Stage::kind));
  }
  // What the training library may compute from x, in double or in float, with constants of more digits than
  // the file's.
  struct Range {
    double least, most;
  };
  Range in_library(double x) const;
};

// The row as a Column; nullopt if it depends on several inputs or in another way.
std::optional<Column> trace(const Plan& plan, int buffer, std::size_t row);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
