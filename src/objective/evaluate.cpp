#include "objective/evaluate.h"

#include <algorithm>
#include <cassert>

#include "model/stepped.h"

namespace scfe {

Terms::Terms(const Query& query, std::size_t max_lanes)
    : query_(query),
      tape_(query.fitted.model.tape(max_lanes)),
      x_(query.fitted.model.features(), max_lanes),
      scores_(query.fitted.model.scores(), max_lanes),
      seed_(query.fitted.model.scores(), max_lanes),
      margins_(query.validity.rivals(), max_lanes),
      input_gradient_(query.fitted.model.features(), max_lanes),
      density_gradient_(query.fitted.space.columns(), max_lanes),
      weights_(query.density().weights(), max_lanes),
      rival_(query.validity.rivals() * margins_.stride()),
      log_density_(padded(max_lanes)),
      scratch_(query.density().scratch(max_lanes)) {
  for (std::size_t r = 0; r < query.validity.rivals(); ++r)
    margin_gradients_.emplace_back(query.fitted.space.columns(), max_lanes);
  if (RoundedMargins::are_needed(query.fitted.model))
    rounded_.emplace(query.fitted.model, query.fitted.space, query.validity, max_lanes);
  if (query.fitted.model.preferred_lanes() > Model::usual_lanes) {
    part_u_ = Block(query.fitted.space.columns(), max_lanes);
    part_anchors_ = Block(query.fitted.space.columns(), max_lanes);
    part_density_.resize(padded(max_lanes));
  }
  if (!query.fitted.model.in_double()) return;
  score_one_.emplace(query.fitted.model, max_lanes);
  unrounded_.resize(max_lanes);
  asked_.reserve(max_lanes);
  asked_lanes_.reserve(max_lanes);
  inputs_of_lanes_.resize(max_lanes * query.fitted.space.inputs());
}

void Terms::set_values(std::size_t lane, std::span<const double> values) {
  if (!score_one_) return;
  const std::size_t inputs = query_.fitted.space.inputs();
  const std::span<double> own = std::span(inputs_of_lanes_).subspan(lane * inputs, inputs);
  query_.fitted.space.to_inputs(values, own);
  unrounded_[lane] = own;
}

// Trees keep nothing for gradients, which are 0, so lanes with values need not be scored in floats before.
void Terms::score(const Block& x) {
  asked_.clear();
  asked_lanes_.clear();
  for (std::size_t lane = 0; lane < std::min(unrounded_.size(), x.lanes()); ++lane) {
    if (unrounded_[lane].empty()) continue;
    asked_.push_back(unrounded_[lane]);
    asked_lanes_.push_back(lane);
  }
  const Model& model = query_.fitted.model;
  if (asked_.size() < x.lanes() || model.ensemble() == nullptr) model.forward(x, scores_, *tape_);
  if (!asked_.empty()) (*score_one_)(asked_, asked_lanes_, scores_);
}

void Terms::evaluate(const Block& u, const Block& anchors, const Ask& ask) {
  x_.set_lanes(u.lanes());
  query_.fitted.space.decode(u, x_);
  evaluate(u, x_, anchors, ask);
}

void Terms::evaluate(const Block& from, const Block& w, Block& u, const Block& anchors, const Ask& ask) {
  x_.set_lanes(w.lanes());
  query_.fitted.space.displace(from, w, u, x_);
  evaluate(u, x_, anchors, ask);
}

void Terms::evaluate(const Block& u, const Block& x, const Block& anchors, const Ask& ask) {
  assert(u.lanes() <= max_lanes() && ask.margin_gradients <= margin_gradients_.size());
  const std::size_t sloped = std::min(ask.gradient_lanes, u.lanes());
  for (Block* block : {&scores_, &margins_}) block->set_lanes(u.lanes());
  for (Block* block : {&seed_, &input_gradient_, &density_gradient_, &weights_}) block->set_lanes(sloped);
  for (Block& gradient : margin_gradients_) gradient.set_lanes(sloped);

  score(x);
  query_.validity.margins(scores_, margins_, rival_);
  if (rounded_) rounded_->lower(x, unrounded_, margins_);
  std::ranges::fill(unrounded_, std::span<const double>());
  for (std::size_t r = 0; r < ask.margin_gradients; ++r) {
    query_.validity.seed(scores_, rival_, r, seed_);
    query_.fitted.model.backward(seed_, input_gradient_, *tape_);
    query_.fitted.space.pull_back(input_gradient_, margin_gradients_[r]);
  }
  if (ask.density) evaluate_density(u, anchors, ask);
}

void Terms::evaluate_density(const Block& u, const Block& anchors, const Ask& ask) {
  if (ask.density_gradient && ask.gradient_lanes < u.lanes()) {
    evaluate_part(u, anchors, 0, true);
    return evaluate_part(u, anchors, ask.gradient_lanes, false);
  }
  query_.density().evaluate(u, anchors, log_density_.data(),
                            ask.density_gradient ? &density_gradient_ : nullptr,
                            ask.density_gradient ? &weights_ : nullptr, scratch_.data());
}

// The lanes with a gradient, or those from `first` on without one: a gradient of the density costs more than
// its value.
void Terms::evaluate_part(const Block& u, const Block& anchors, std::size_t first, bool gradient) {
  const std::size_t count = gradient ? density_gradient_.lanes() : u.lanes() - first;
  part_u_.set_lanes(count);
  part_anchors_.set_lanes(count);
  for (std::size_t j = 0; j < columns(); ++j) {
    std::copy_n(u[j] + first, count, part_u_[j]);
    std::copy_n(anchors[j] + first, count, part_anchors_[j]);
  }
  query_.density().evaluate(part_u_, part_anchors_, part_density_.data(),
                            gradient ? &density_gradient_ : nullptr, gradient ? &weights_ : nullptr,
                            scratch_.data());
  std::copy_n(part_density_.data(), count, log_density_.data() + first);
}

kernel::Scaled Terms::pull_margin(const float* factor) {
  const std::size_t lanes = scores_.lanes();
  if (std::all_of(factor, factor + lanes, [](float f) { return f == 0; })) return {};
  query_.validity.seed(scores_, rival_, 0, seed_);
  for (std::size_t k = 0; k < seed_.features(); ++k)
    for (std::size_t lane = 0; lane < lanes; ++lane) seed_[k][lane] *= factor[lane];
  query_.fitted.model.backward(seed_, input_gradient_, *tape_);
  return query_.fitted.space.pulled_back(input_gradient_, margin_gradients_[0]);
}

}  // namespace scfe
