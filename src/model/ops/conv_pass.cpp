#include "model/ops/conv_pass.h"

#include <algorithm>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// Reorders the sweep's pixels by the pool window they belong to. False unless all windows are 2x2, lie inside
// the image and do not overlap.
bool in_windows(OwnedSweep& sweep, const ImagePool& pool) {
  const std::vector<std::int32_t>& sources = pool.sources();
  if (pool.taps() != kernel::pooled_taps || pool.overlaps() ||
      *std::min_element(sources.begin(), sources.end()) < 0)
    return false;
  std::vector<std::int32_t> source, target;
  for (const std::int32_t at : sources)
    source.push_back(sweep.source[static_cast<std::size_t>(at) / sweep.out]);
  for (std::size_t p = 0; p < pool.out().pixels; ++p)
    target.push_back(static_cast<std::int32_t>(p * sweep.out));
  sweep.source = std::move(source);
  sweep.target = std::move(target);
  return true;
}

}  // namespace

ConvPass::ConvPass(Sweeps sweeps, bool pools)
    : sweeps_(std::move(sweeps)), pools_(pools), frame_(sweeps_.frame), lines_(frame_.lines()) {}

ConvPass::ConvPass(Winograd tiles, bool pools)
    : tiles_(std::move(tiles)), pools_(pools), frame_(tiles_->frame()), lines_(frame_.lines()) {}

ConvPass ConvPass::direct(const ConvWeights& weights, const Window& window, const ImagePool* pool) {
  if (Winograd::suits(weights, window)) {
    const bool pools = pool && Winograd::holds(*pool);
    return ConvPass(Winograd(weights, window, Winograd::Way::ahead, pools ? pool : nullptr), pools);
  }
  Sweeps sweeps = direct_sweeps(weights, window);
  const bool pools = pool && in_windows(sweeps.parts.front(), *pool);
  return ConvPass(std::move(sweeps), pools);
}

ConvPass ConvPass::adjoint(const ConvWeights& weights, const Window& window) {
  if (Winograd::suits(weights, window) && Winograd::suits(flipped(weights), flipped(window)))
    return ConvPass(Winograd(flipped(weights), flipped(window), Winograd::Way::back, nullptr));
  return ConvPass(adjoint_sweeps(weights, window));
}

std::size_t ConvPass::scratch(std::size_t count) const {
  return (frame_.none() ? 0 : count * frame_.floats()) + (tiles_ ? tiles_->scratch() : 0);
}

void ConvPass::run(Images x, Images y, Kept code, std::size_t count, bool relu, float* scratch) const {
  if (!frame_.none()) {
    const Images framed{scratch, frame_.floats()};
    std::fill_n(framed.data, count * framed.stride, 0.0F);
    for (std::size_t i = 0; i < count; ++i) frame_.put(lines_, x[i], framed[i]);
    x = framed;
    scratch += count * framed.stride;
  }
  if (tiles_) return tiles_->run(x, y, code, count, relu, scratch);
  for (const OwnedSweep& part : sweeps_.parts) {
    if (!pools_) {
      kernel::kernels().sweep(part.view(relu), {x.data, y.data, x.stride, y.stride, count});
      continue;
    }
    for (std::size_t i = 0; i < count; ++i)
      kernel::kernels().pooled_sweep(part.view(relu), x[i], y[i], code[i]);
  }
}

}  // namespace scfe::onnx::inline SCFE_PRECISION
