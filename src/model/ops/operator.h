// One operator of the plan: forward and backward on rows of lanes.
//
// Here a row is one number of a tensor for every lane, not a row of the table. Every lane is one run of the
// model on a batch of one instance. A tensor of shape (1, c, h, w) is thus c·h·w rows in row-major order,
// and nearly every operator is a loop over rows. Operators hold their constants and never allocate while they
// run; the bits of a lane do not depend on other lanes. The lane count is a multiple of lane_step, or 1 while
// constants are folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "kernel/activation.h"
#include "kernel/kernels.h"
#include "model/onnx/real.h"

namespace scfe::onnx::inline SCFE_PRECISION {

template <class Number>
struct RowsOf {
  Number* data;
  std::size_t stride;
};
using Const = std::conditional_t<is_double, RowsOf<const double>, kernel::Const>;
using Mutable = std::conditional_t<is_double, RowsOf<double>, kernel::Mutable>;

inline const Real* row(Const rows, std::size_t i) { return rows.data + i * rows.stride; }
inline Real* row(Mutable rows, std::size_t i) { return rows.data + i * rows.stride; }

struct Forward {
  std::span<const Const> x;
  Mutable y;
  Mutable scratch;
  std::size_t lanes;
  std::size_t used;  // lanes in use; the others are padding
};

// Backward adds the gradient of each operand to dx (or writes it, see overwrites). dx[i].data is null if that
// gradient is not needed.
struct Backward {
  std::span<const Const> x;
  Const y;
  Const dy;
  std::span<const Mutable> dx;
  Mutable scratch;
  std::size_t lanes;
  std::size_t used;
};

struct Forest;
class ImageOp;

// How a row of y is computed, if it depends on only one row of one operand. (`mapped` is for onnx/column.h.)
struct RowOrigin {
  enum class Kind : std::uint8_t { affine, equal, filled, mapped } kind = Kind::affine;
  std::size_t operand = 0, row = 0;
  Real scale = 1, shift = 0;                 // affine: y = scale x + shift
  bool rounds = false;                       // affine: x is rounded to single precision first
  std::size_t key_operand = 0, key_row = 0;  // equal: y = [x == key]
  Real fill = 0;                             // filled: y = fill where x is missing (NaN), else x
};

// Which rows of the operands a row of y is computed from, and how it follows them (onnx/pieces.h).
struct RowRule {
  enum class Kind : std::uint8_t {
    any,       // nothing more is known
    monotone,  // in each of the rows while the others stay: map(a, b), or map(a, 0) of one row
    steps,     // map(a, b), constant below, at and above b; of one row: map(a, 0), and its keys instead of b
    table,     // `values` at the keys, else `fill`
    replaced,  // the row itself except at the key, where it is `fill`
    choice,    // the second row where the first is not 0, else the third
  };
  struct Read {
    std::size_t operand, row;
  };
  Kind kind = Kind::any;
  bool all = false;  // reads every row of every operand; `reads` is empty
  std::vector<Read> reads = {};
  std::vector<Real> keys = {}, values = {};
  Real fill = 0;
  Real (*map)(Real, Real) = nullptr;
  bool linear = false;      // monotone: map is linear in each row
  bool first_only = false;  // monotone: in the first row only
};

// An activation at the end of a linear map; its slope can be computed from its result (ReLU, leaky ReLU).
struct Epilogue {
  kernel::ActivationKind kind = kernel::activation_none;
  Real parameter = 0;
  bool given() const { return kind != kernel::activation_none; }
};

class Operator {
 public:
  virtual ~Operator() = default;
  virtual void forward(const Forward& run) const = 0;
  virtual void backward(const Backward& run) const = 0;

  // False if the gradient is zero by definition (comparisons, rounding, trees): backward is never called.
  virtual bool differentiable() const { return true; }
  // True for an operand that only selects (a condition, an index) and takes no part in arithmetic.
  virtual bool chooses_by(std::size_t /*operand*/) const { return false; }
  // True if backward writes dx instead of adding to it; only for operators with one operand.
  virtual bool overwrites() const { return false; }
  // Whether backward reads x and y; buffers that are not read again are reused.
  virtual bool reads_x() const { return true; }
  virtual bool reads_y() const { return false; }
  // Asks this operator, the only reader of `previous`, to multiply by the slope of previous's ReLU in its own
  // backward, while the gradient is in registers; `previous` then leaves that out. Returns true if it will.
  virtual bool take_gate_of(Operator& /*previous*/) { return false; }
  // True if y may be the same buffer as x; backward then reads y instead of x.
  virtual bool in_place() const { return false; }
  virtual std::size_t scratch() const { return 0; }     // rows
  virtual std::size_t keeps() const { return 0; }       // rows after y where forward keeps data for backward
  virtual double flops() const { return 0; }            // forward of one lane; a multiply-add counts as two
  virtual std::size_t parameters() const { return 0; }  // number of trained constants

  // These describe the operator to code that analyses a plan.
  virtual std::optional<RowOrigin> origin(std::size_t /*y_row*/) const { return std::nullopt; }
  virtual RowRule rule(std::size_t /*y_row*/) const { return {.all = true}; }
  virtual const Forest* forest() const { return nullptr; }

  // This operator on images instead of rows (ops/image.h), or null.
  virtual std::shared_ptr<const ImageOp> on_images() const { return nullptr; }

  // `previous` and this operator merged into one; null if that is impossible or more expensive.
  virtual std::unique_ptr<Operator> after(const Operator& /*previous*/) const { return nullptr; }
  // This operator merged with a following y·scale + shift per row; null if that is impossible.
  virtual std::unique_ptr<Operator> scaled(std::span<const Real> /*scale*/,
                                           std::span<const Real> /*shift*/) const {
    return nullptr;
  }
  // This operator merged with a following activation; null if that is impossible.
  virtual std::unique_ptr<Operator> activated(Epilogue /*epilogue*/) const { return nullptr; }
};

}  // namespace scfe::onnx::inline SCFE_PRECISION
