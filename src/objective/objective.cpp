#include "objective/objective.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "kernel/rows_of.h"
#include "scfe/error.h"

namespace scfe {

using kernel::rows_of;

Objective::Objective(Terms& terms, const Weights& weights)
    : terms_(terms),
      weights_(weights),
      factual_(terms.columns(), terms.max_lanes()),
      anchors_(terms.columns(), terms.max_lanes()),
      u_(terms.columns(), terms.max_lanes()),
      gamma_(padded(terms.max_lanes()), 1.0F),
      margin_(padded(terms.max_lanes())),
      required_(padded(terms.max_lanes()), static_cast<float>(terms.query().validity.required())),
      log_density_(padded(terms.max_lanes())),
      cost_(padded(terms.max_lanes())),
      pull_(padded(terms.max_lanes())),
      loss_(padded(terms.max_lanes())),
      anchor_(terms.columns()) {
  if (!std::isfinite(weights.tau) || weights.tau < 0)
    throw Error("tau", "a finite number >= 0", std::to_string(weights.tau));
  if (!std::isfinite(weights.kappa)) throw Error("kappa", "a finite number", std::to_string(weights.kappa));
}

void Objective::set_lanes(std::size_t lanes) {
  for (Block* block : {&factual_, &anchors_, &u_}) block->set_lanes(lanes);
}

void Objective::set_factual(std::size_t lane, std::span<const float> factual) {
  terms_.query().density().anchor(factual, anchor_);
  set_factual(lane, factual, anchor_);
}

void Objective::set_factual(std::size_t lane, std::span<const float> factual, std::span<const float> anchor) {
  assert(lane < factual_.lanes() && factual.size() == features() && anchor.size() == features());
  for (std::size_t j = 0; j < features(); ++j) {
    factual_[j][lane] = factual[j];
    anchors_[j][lane] = anchor[j];
  }
}

void Objective::set_origin(std::size_t lane, std::span<const double> origin) {
  for (std::size_t j = 0; j < features(); ++j) factual_[j][lane] = static_cast<float>(origin[j]);
}

void Objective::set_prices(std::size_t lane, std::span<const double> price) {
  if (price_.features() == 0) {
    price_ = Block(features(), terms_.max_lanes());
    price_.set_lanes(factual_.lanes());
  }
  for (std::size_t j = 0; j < features(); ++j) price_[j][lane] = static_cast<float>(price[j]);
}

void Objective::evaluate(const Block& w, float* value, Block* gradient) {
  assert(w.lanes() == factual_.lanes() && w.features() == features());
  const bool sloped = gradient != nullptr;
  terms_.evaluate(factual_, w, u_, anchors_,
                  {.margin_gradients = 0,  // pull_margin computes it, where the loss has a slope
                   .density = weights_.tau > 0 || weights_.watch_density,
                   .density_gradient = weights_.tau > 0 && sloped});

  weights_.proximity.evaluate(w, cost_.data());
  add_plausibility();
  add_validity(value);
  if (sloped) differentiate(w, *gradient);
  if (price_.features() > 0) add_prices(w, value, gradient);
}

// - tau log q, part of the cost.
void Objective::add_plausibility() {
  const std::size_t lanes = factual_.lanes();
  if (weights_.tau > 0 || weights_.watch_density)
    std::copy_n(terms_.log_density(), lanes, log_density_.data());
  if (weights_.tau == 0) return;
  const auto tau = static_cast<float>(weights_.tau);
  for (std::size_t lane = 0; lane < lanes; ++lane) cost_[lane] -= tau * log_density_[lane];
}

// + gamma loss(t), t: the smallest margin minus the required one.
void Objective::add_validity(float* value) {
  const std::size_t lanes = factual_.lanes();
  const auto kappa = static_cast<float>(weights_.kappa);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    margin_[lane] = terms_.margins()[0][lane] - required_[lane];
  weights_.loss->evaluate({margin_.data(), lanes}, kappa, loss_.data(), pull_.data());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    value[lane] = cost_[lane] + gamma_[lane] * loss_[lane];
    pull_[lane] *= gamma_[lane];
  }
}

// One pass over all terms, because storing intermediate results would cost more than computing them.
void Objective::differentiate(const Block& w, Block& gradient) {
  const kernel::Const density = weights_.tau > 0 ? rows_of(terms_.density_gradient()) : kernel::Const{};
  kernels_.slope({features(), weights_.proximity.weight(), static_cast<float>(weights_.tau), density,
                  terms_.pull_margin(pull_.data()), pull_.data()},
                 rows_of(w), rows_of(gradient), gradient.padded_lanes());
}

void Objective::add_prices(const Block& w, float* value, Block* gradient) {
  for (std::size_t j = 0; j < features(); ++j)
    for (std::size_t lane = 0; lane < w.lanes(); ++lane) {
      const float price = price_[j][lane] * w[j][lane];
      cost_[lane] += price;
      value[lane] += price;
      if (gradient != nullptr) (*gradient)[j][lane] += price_[j][lane];
    }
}

}  // namespace scfe
