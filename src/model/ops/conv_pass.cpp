#include "model/ops/conv_pass.h"

#include <algorithm>

namespace scfe::onnx {

ConvPass::ConvPass(Sweeps sweeps)
    : sweeps_(std::move(sweeps)), frame_(sweeps_.frame), lines_(frame_.lines()) {}

ConvPass::ConvPass(Winograd tiles)
    : tiles_(std::move(tiles)), frame_(tiles_->frame()), lines_(frame_.lines()) {}

ConvPass ConvPass::direct(const ConvWeights& weights, const Window& window) {
  if (Winograd::suits(weights, window)) return ConvPass(Winograd(weights, window));
  return ConvPass(direct_sweeps(weights, window));
}

ConvPass ConvPass::adjoint(const ConvWeights& weights, const Window& window) {
  if (Winograd::suits(weights, window) && Winograd::suits(flipped(weights), flipped(window)))
    return ConvPass(Winograd(flipped(weights), flipped(window)));
  return ConvPass(adjoint_sweeps(weights, window));
}

std::size_t ConvPass::scratch(std::size_t count) const {
  return (frame_.none() ? 0 : count * frame_.floats()) + (tiles_ ? tiles_->scratch() : 0);
}

void ConvPass::run(Images x, Images y, std::size_t count, bool relu, float* scratch) const {
  if (!frame_.none()) {
    const Images framed{scratch, frame_.floats()};
    std::fill_n(framed.data, count * framed.stride, 0.0F);
    for (std::size_t i = 0; i < count; ++i) frame_.put(lines_, x[i], framed[i]);
    x = framed;
    scratch += count * framed.stride;
  }
  if (tiles_) return tiles_->run(x, y, count, relu, scratch);
  for (const OwnedSweep& part : sweeps_.parts)
    kernel::kernels().sweep(part.view(relu), {x.data, y.data, x.stride, y.stride, count});
}

}  // namespace scfe::onnx
