// Rows of a plan as functions of one input, piece by piece: what trees compare behind preprocessing.
//
//     scaler     one piece: a x + b
//     one-hot    0 below the key, 1 at the key, 0 above it
//     lookup     a number at each key, another one between them
//     bins       a number for each bin
//
// Between two ends a row is constant, or a monotone chain of stages (column.h). A row that is computed from
// several rows is followed as long as all of them depend on the same input and, in each piece, the result is
// known to be one of these two. Values are computed by the operators of the plan or by the same expressions,
// so they have the same bits.
#pragma once

#include <numeric>
#include <string>

#include "model/onnx/column.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

struct Piece {
  Real last = 0;  // the largest input of the piece, which begins after the piece before it
  bool constant = false;
  Real value = 0;                     // if it is constant
  std::vector<Column::Stage> stages;  // otherwise
  // If the upper end is where a computed number passes `key`: how far from there another runtime may see it
  // on the other side, in units of the input; NaN if no order was compared.
  double doubt = 0;
  Real key = std::numeric_limits<Real>::quiet_NaN();

  Real operator()(Real x) const;
};

struct RowFunction {
  std::optional<std::uint32_t> input;  // none: the row is constant
  std::vector<Piece> pieces;           // ascending; the last one ends at the largest number
  Real absent = 0;                     // the value if the input is missing
  std::string obstacle;                // not empty if the row has another form: the node, and why

  const Piece& at(Real x) const;
};

// The rows that the steps before `end` write into the buffer.
std::vector<RowFunction> row_functions(const Plan& plan, int buffer);

// Where a condition on the input changes within from .. last: the last input that has the same side as
// `from`. The condition changes at most once there; nullopt if it does not.
template <class Condition>
std::optional<Real> last_before_change(Real from, Real last, Condition holds);
Real next_number(Real x);
// How far from x another runtime's arithmetic may move the result of the stages, in units of the input.
double doubt_of(const std::vector<Column::Stage>& stages, double x);

// Maps floating-point numbers to integers so that their order stays the same.
std::int64_t place(Real x);
Real at_place(std::int64_t index);

template <class Condition>
std::optional<Real> last_before_change(Real from, Real last, Condition holds) {
  std::int64_t low = place(from), high = place(last);
  const bool first = holds(from);
  if (holds(last) == first) return std::nullopt;
  while (low + 1 < high) {
    const std::int64_t middle = std::midpoint(low, high);
    (holds(at_place(middle)) == first ? low : high) = middle;
  }
  return at_place(low);
}

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
