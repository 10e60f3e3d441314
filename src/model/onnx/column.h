// A row of a plan that depends on only one input of the model.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "model/onnx/plan.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Such a row as a function of its input: a chain of scalings, comparisons with a key, filled-in values
// and other monotone functions.
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
  // How far around x, in units of the input, the rounding of another runtime's scaling may reach.
  double doubt(double x) const {
    double shift = 0, scale = 1;
    for (const Stage& stage : stages) {
      scale *= static_cast<double>(stage.scale);
      shift = shift * static_cast<double>(stage.scale) + static_cast<double>(stage.shift);
    }
    return scale == 0 ? 0
                      : 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
                            (std::abs(x) + std::abs(shift / scale));
  }
};

// The row as a Column; nullopt if it depends on several inputs or in another way.
std::optional<Column> trace(const Plan& plan, int buffer, std::size_t row);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
