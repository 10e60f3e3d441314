#include "validity/loss.h"

#include <array>
#include <cmath>

#include "support/catalogue.h"

namespace scfe {
namespace {

// Written so that a NaN margin gives a NaN loss instead of 0.
void hinge(std::span<const float> t, float kappa, float* value, float* slope) {
  for (std::size_t lane = 0; lane < t.size(); ++lane) {
    value[lane] = t[lane] >= kappa ? 0.0F : kappa - t[lane];
    slope[lane] = t[lane] >= kappa ? 0.0F : -1.0F;
  }
}

// 2 sigmoid(t) - 1 = tanh(t / 2)
void probability(std::span<const float> t, float kappa, float* value, float* slope) {
  for (std::size_t lane = 0; lane < t.size(); ++lane) {
    const float s = std::tanh(t[lane] / 2);
    value[lane] = s >= kappa ? 0.0F : kappa - s;
    slope[lane] = s >= kappa ? 0.0F : -(1 - s) * (1 + s) / 2;
  }
}

constexpr std::array rows = {
    LossRow{name_of(LossKind::hinge), "max(0, kappa - t)", hinge},
    LossRow{name_of(LossKind::probability), "max(0, kappa - (2 sigmoid(t) - 1))", probability},
};

}  // namespace

std::span<const LossRow> loss_catalogue() { return rows; }
const LossRow& find_loss(LossKind kind) { return find_row(loss_catalogue(), "loss", name_of(kind)); }

}  // namespace scfe
