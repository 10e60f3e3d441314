#include "plausibility/own/own.h"

#include <algorithm>
#include <cmath>

namespace scfe {

Own::Own(DensityModel model, std::size_t score, InputMap inputs, std::vector<double> kappa)
    : model_(std::move(model)), score_(score), inputs_(std::move(inputs)), kappa_(std::move(kappa)) {}

std::unique_ptr<Own::Buffers> Own::take(std::size_t lanes) const {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty() && free_.back()->x.capacity() >= lanes) {
      std::unique_ptr<Buffers> buffers = std::move(free_.back());
      free_.pop_back();
      return buffers;
    }
  }
  const Model& model = *model_.model;
  return std::make_unique<Buffers>(Buffers{model.tape(lanes), Block(model.features(), lanes),
                                           Block(model.scores(), lanes), Block(model.scores(), lanes),
                                           Block(model.features(), lanes)});
}

void Own::evaluate(const Block& x, const Block& /*anchors*/, float* value, Block* gradient,
                   Block* /*weights*/, float* /*scratch*/) const {
  std::unique_ptr<Buffers> own = take(x.capacity());
  for (Block* block : {&own->x, &own->scores, &own->seed, &own->gradient}) block->set_lanes(x.lanes());
  inputs_.decode(x, own->x);
  model_.model->forward(own->x, own->scores, *own->tape);
  std::copy_n(own->scores[score_], x.lanes(), value);
  if (gradient != nullptr) {
    for (std::size_t k = 0; k < own->seed.features(); ++k)
      std::fill_n(own->seed[k], x.padded_lanes(), k == score_ ? 1.0F : 0.0F);
    model_.model->backward(own->seed, own->gradient, *own->tape);
    inputs_.pull_back(own->gradient, *gradient);
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(own));
}

void Own::curvature(std::span<const float> /*weights*/, std::span<const int> support,
                    std::span<double> kappa) const {
  for (std::size_t i = 0; i < support.size(); ++i) kappa[i] = kappa_[static_cast<std::size_t>(support[i])];
}

void Own::save(ByteWriter& out) const {
  out.put_text(model_.source);
  out.put_text(model_.onnx);
  out.put(std::uint64_t{score_});
  out.put_list(kappa_);
  inputs_.save(out);
}

std::shared_ptr<const Density> Own::load(ByteReader& in) {
  const std::string source = in.get_text();
  DensityModel model = density_model_of(in.get_text(), source);
  const auto score = in.get<std::uint64_t>();
  in.require(score < model.model->scores(), "an output of the density", score);
  std::vector<double> kappa = in.get_list<double>();
  in.require(std::ranges::all_of(kappa, [](double k) { return std::isfinite(k) && k >= 0; }),
             "finite curvatures of at least 0", kappa.size());
  InputMap inputs = InputMap::load(kappa.size(), model.model->features(), in);
  return std::make_shared<Own>(std::move(model), static_cast<std::size_t>(score), std::move(inputs),
                               std::move(kappa));
}

}  // namespace scfe
