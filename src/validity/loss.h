// The validity loss of the equation as a function of the smallest margin t:
//
//     hinge        max(0, kappa - t)                   on logits; the default
//     probability  max(0, kappa - (2 sigmoid(t) - 1))  relu(-y (2f - 1) + c) in the authors' public code
#pragma once

#include <span>
#include <string_view>

#include "scfe/choices.h"

namespace scfe {

struct LossRow {
  std::string_view name;
  std::string_view formula;
  // value[lane] and slope[lane] at margin[lane]
  void (*evaluate)(std::span<const float> margin, float kappa, float* value, float* slope);
};

std::span<const LossRow> loss_catalogue();
const LossRow& find_loss(LossKind kind);

}  // namespace scfe
