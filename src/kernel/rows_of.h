// Converts a Block to the pointer and stride that the kernels take.
#pragma once

#include "kernel/kernels.h"
#include "scfe/block.h"

namespace scfe::kernel {

inline Const rows_of(const Block& block) { return {block.data(), block.stride()}; }
inline Mutable rows_of(Block& block) { return {block.data(), block.stride()}; }
inline Const read_only(const Block& block) { return rows_of(block); }

}  // namespace scfe::kernel
