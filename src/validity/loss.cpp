#include "validity/loss.h"

#include <array>
#include <cmath>
#include <string>

#include "support/catalogue.h"

namespace scfe {
namespace {

// Written so that a margin that is no number gives a loss that is none, never 0.
float hinge(float t, float kappa) { return t >= kappa ? 0.0F : kappa - t; }
float hinge_slope(float t, float kappa) { return t >= kappa ? 0.0F : -1.0F; }

// 2 sigmoid(t) - 1 = tanh(t / 2)
float probability(float t, float kappa) { return hinge(std::tanh(t / 2), kappa); }
float probability_slope(float t, float kappa) {
  const float s = std::tanh(t / 2);
  return s >= kappa ? 0.0F : -(1 - s) * (1 + s) / 2;
}

constexpr std::array rows = {
    LossRow{"hinge", "max(0, kappa - t)", hinge, hinge_slope},
    LossRow{"probability", "max(0, kappa - (2 sigmoid(t) - 1))", probability, probability_slope},
};

}  // namespace

std::span<const LossRow> loss_catalogue() { return rows; }
const LossRow& find_loss(std::string_view name) { return find_row(loss_catalogue(), "loss", name); }

}  // namespace scfe
