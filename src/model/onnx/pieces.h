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

#include <string>

#include "model/onnx/column.h"
#include "model/onnx/float_order.h"

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

// The rows that the steps of the plan write into the buffer.
std::vector<RowFunction> row_functions(const Plan& plan, int buffer);

// How far from x another runtime's arithmetic may move the result of the stages, in units of the input.
double doubt_of(const std::vector<Column::Stage>& stages, double x);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
