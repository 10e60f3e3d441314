// A row of a plan that depends on one input alone.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "model/onnx/plan.h"

namespace scfe::onnx {

// A row of the trees' operand as a function of one input of the model.
struct Column {
  struct Stage {
    bool equal = false;
    float scale = 1, shift = 0, key = 0;
  };
  std::uint32_t input = 0;
  std::vector<Stage> stages;  // from the input on

  // As the plan's own steps compute it.
  float operator()(float x) const {
    for (const Stage& stage : stages)
      x = stage.equal ? (x == stage.key ? 1.0F : 0.0F) : stage.scale * x + stage.shift;
    return x;
  }
  bool plain() const { return stages.empty(); }
  bool monotone() const {
    for (const Stage& stage : stages)
      if (stage.equal) return false;
    return true;
  }
  // One comparison with a key, straight on the input.
  bool picks_key() const {
    for (std::size_t i = 1; i < stages.size(); ++i)
      if (stages[i].equal) return false;
    return !stages.empty() && stages[0].equal;
  }
  // How far around x the rounding of another runtime's scaler may reach.
  double doubt(double x) const {
    double shift = 0, scale = 1;
    for (const Stage& stage : stages) {
      scale *= static_cast<double>(stage.scale);
      shift = shift * static_cast<double>(stage.scale) + static_cast<double>(stage.shift);
    }
    return scale == 0 ? 0 : 4 * 0x1p-23 * (std::abs(x) + std::abs(shift / scale));
  }
};

// Nothing where the row depends on anything else, or in another way.
std::optional<Column> trace(const Plan& plan, int buffer, std::size_t row);

}  // namespace scfe::onnx
