// Rows that are computed from others, piece by piece: in a piece of the result each row that is read has one
// piece, which is constant or monotone.
#pragma once

#include <vector>

#include "model/onnx/pieces.h"

namespace scfe::onnx {
inline namespace SCFE_PRECISION {

// Values that are not a number count as the same.
bool same_number(Real a, Real b);

using Reads = std::vector<const RowFunction*>;

// Collects pieces in ascending order; equal constants are joined.
class CollectedPieces {
 public:
  void add(Piece piece) {
    if (!pieces_.empty() && piece.constant && pieces_.back().constant &&
        same_number(piece.value, pieces_.back().value))
      pieces_.back() = std::move(piece);
    else
      pieces_.push_back(std::move(piece));
  }
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  std::vector<Piece> pieces_;
};

Real run_stages(const std::vector<Column::Stage>& stages, Real x);
// All ends of the pieces of the rows.
std::vector<Real> ends_of(const Reads& reads);
// The value of a read row if the input is missing.
Real absent_of(const RowFunction& read, std::optional<std::uint32_t> input);
// Where a read row ends at `piece.last` by a comparison, this end is as doubtful.
void inherit_doubt(Piece& piece, const Reads& reads);

// Sets the pieces of the row; false if the form of one of them is not known to be monotone.
bool join_pieces(RowFunction& row, const RowRule& rule, const Reads& reads);

}  // namespace SCFE_PRECISION
}  // namespace scfe::onnx
