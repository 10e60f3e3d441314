#include "scfe/block.h"

#include <algorithm>
#include <cassert>
#include <new>

namespace scfe {
namespace {

constexpr std::align_val_t cache_line{64};
constexpr std::size_t line = 64 / sizeof(float);

// Whole cache lines, but not a power of two: that would map all features to the same cache sets.
std::size_t stride_for(std::size_t lanes) {
  const std::size_t stride = std::max<std::size_t>((lanes + line - 1) / line, 1) * line;
  const bool power_of_two = (stride & (stride - 1)) == 0;
  return stride > line && power_of_two ? stride + line : stride;
}

}  // namespace

Block::Block(std::size_t features, std::size_t capacity)
    : features_(features), lanes_(capacity), capacity_(capacity), stride_(stride_for(capacity)) {
  const std::size_t size = std::max<std::size_t>(features * stride_, 1);
  values_.reset(static_cast<float*>(::operator new[](size * sizeof(float), cache_line)));
  std::fill_n(values_.get(), size, 0.0F);
}

void Block::set_lanes(std::size_t lanes) {
  assert(lanes <= capacity_);
  lanes_ = lanes;
}

void Block::Free::operator()(float* values) const { ::operator delete[](values, cache_line); }

}  // namespace scfe
