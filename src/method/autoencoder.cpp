#include "method/autoencoder.h"

#include <algorithm>
#include <limits>

namespace scfe {

void Autoencoder::anchor(std::span<const float> factual, std::span<float> anchor) const {
  std::copy(factual.begin(), factual.end(), anchor.begin());
}

void Autoencoder::curvature(std::span<const float> /*weights*/, std::span<const int> /*support*/,
                            std::span<double> kappa) const {
  std::fill(kappa.begin(), kappa.end(), std::numeric_limits<double>::infinity());
}

std::unique_ptr<Autoencoder::Buffers> Autoencoder::take(std::size_t lanes) const {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty() && free_.back()->x.capacity() >= lanes) {
      std::unique_ptr<Buffers> buffers = std::move(free_.back());
      free_.pop_back();
      return buffers;
    }
  }
  auto buffers = std::make_unique<Buffers>();
  const std::size_t d = model_.features();
  *buffers = {model_.tape(lanes), Block(d, lanes), Block(d, lanes), Block(d, lanes), Block(d, lanes)};
  return buffers;
}

void Autoencoder::evaluate(const Block& x, const Block& /*anchors*/, float* value, Block* gradient,
                           Block* /*weights*/, float* /*scratch*/) const {
  std::unique_ptr<Buffers> buffers = take(x.capacity());
  for (Block* block : {&buffers->x, &buffers->output, &buffers->seed, &buffers->gradient})
    block->set_lanes(x.lanes());
  space_.decode(x, buffers->x);
  model_.forward(buffers->x, buffers->output, *buffers->tape);
  std::fill_n(value, x.lanes(), 0.0F);
  for (std::size_t j = 0; j < features(); ++j) {
    const auto per_unit = static_cast<float>(1 / space_.scale(j));
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      const float r = (buffers->x[j][lane] - buffers->output[j][lane]) * per_unit;
      value[lane] -= r * r;
      buffers->seed[j][lane] = r * per_unit;
    }
  }
  if (gradient != nullptr) {
    model_.backward(buffers->seed, buffers->gradient, *buffers->tape);
    for (std::size_t j = 0; j < features(); ++j) {
      const auto scale = static_cast<float>(space_.scale(j));
      for (std::size_t lane = 0; lane < x.lanes(); ++lane)
        (*gradient)[j][lane] = 2 * scale * (buffers->gradient[j][lane] - buffers->seed[j][lane]);
    }
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(buffers));
}

}  // namespace scfe
