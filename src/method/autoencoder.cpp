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

std::unique_ptr<Autoencoder::Desk> Autoencoder::take(std::size_t lanes) const {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty() && free_.back()->x.capacity() >= lanes) {
      std::unique_ptr<Desk> desk = std::move(free_.back());
      free_.pop_back();
      return desk;
    }
  }
  auto desk = std::make_unique<Desk>();
  const std::size_t d = model_.features();
  *desk = {model_.tape(lanes), Block(d, lanes), Block(d, lanes), Block(d, lanes), Block(d, lanes)};
  return desk;
}

void Autoencoder::evaluate(const Block& x, const Block& /*anchors*/, float* value, Block* gradient,
                           Block* /*weights*/, float* /*scratch*/) const {
  std::unique_ptr<Desk> desk = take(x.capacity());
  for (Block* block : {&desk->x, &desk->output, &desk->seed, &desk->gradient}) block->set_lanes(x.lanes());
  space_.decode(x, desk->x);
  model_.forward(desk->x, desk->output, *desk->tape);
  std::fill_n(value, x.lanes(), 0.0F);
  for (std::size_t j = 0; j < features(); ++j) {
    const auto per_range = static_cast<float>(1 / space_.range(j));
    for (std::size_t lane = 0; lane < x.lanes(); ++lane) {
      const float r = (desk->x[j][lane] - desk->output[j][lane]) * per_range;
      value[lane] -= r * r;
      desk->seed[j][lane] = r * per_range;
    }
  }
  if (gradient != nullptr) {
    model_.backward(desk->seed, desk->gradient, *desk->tape);
    for (std::size_t j = 0; j < features(); ++j) {
      const auto range = static_cast<float>(space_.range(j));
      for (std::size_t lane = 0; lane < x.lanes(); ++lane)
        (*gradient)[j][lane] = 2 * range * (desk->gradient[j][lane] - desk->seed[j][lane]);
    }
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(desk));
}

}  // namespace scfe
