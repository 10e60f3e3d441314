// The inputs of a model as linear functions of the columns of the work space (actionability/space.h):
//
//     input_i = sum over the columns c of input i of offset_c + scale_c u_c
//
//     number     one column: the offset and the scale of the scaling
//     one-hot    one column for each input, 0 and 1
//     code       one column for each level, whose scale is the place of the level
//
// A density keeps its own copy, because a fitted density outlives the space that it was fitted in.
#pragma once

#include <cstdint>
#include <vector>

#include "actionability/space.h"
#include "scfe/block.h"
#include "support/bytes.h"

namespace scfe {

struct InputMap {
  std::vector<std::uint32_t> input;  // of each column; empty: the inputs are the columns themselves
  std::vector<float> offset, scale;  // of each column

  static InputMap of(const Space& space);

  // x has as many features as there are inputs, u and gradient one for each column.
  void decode(const Block& u, Block& x) const;
  void pull_back(const Block& input_gradient, Block& gradient) const;

  void save(ByteWriter& out) const;
  static InputMap load(std::size_t columns, std::size_t inputs, ByteReader& in);
};

}  // namespace scfe
