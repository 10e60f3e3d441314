#include "stability/network_bounds.h"

#include <algorithm>
#include <cmath>

#include "kernel/kernels.h"
#include "model/network/activation.h"

namespace scfe {
namespace {

double activated(const Activation& activation, double z) {
  float in[lane_step] = {}, out[lane_step] = {};
  in[0] = static_cast<float>(z);
  kernel::kernels().activate(activation.kind, activation.parameter, in, out, lane_step);
  return static_cast<double>(out[0]);
}

// A bound on the slope of an activation: SELU reaches 1.76, and some have their slope as a parameter.
double steepest(const std::string& name) {
  const Activation activation = parse_activation(name, "activation");
  switch (activation.kind) {
    case kernel::activation_leaky_relu:
    case kernel::activation_elu:
    case kernel::activation_hard_sigmoid:
      return std::max(1.0, std::abs(static_cast<double>(activation.parameter)));
    case kernel::activation_selu:
      return 2;
    default:
      return 1;
  }
}

}  // namespace

bool is_monotone(const std::string& activation) {
  if (activation.find("(-") != std::string::npos) return false;  // a negative slope is not monotone
  for (const std::string_view name : {"none", "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "sigmoid",
                                      "hard_sigmoid", "tanh", "softplus", "softsign"})
    if (activation == name || activation.starts_with(std::string(name) + "(")) return true;
  return false;
}

NetworkBounds::NetworkBounds(std::span<const Layer> layers, InputBox box)
    : layers_(layers), box_(std::move(box)), units_(layers.size()), size_(layers.size()) {
  for (std::size_t l = 0; l + 1 < layers.size(); ++l)
    for (std::size_t unit = 0; unit < layers[l].weight.rows; ++unit) {
      std::vector<double> pick(layers[l].weight.rows);
      pick[unit] = 1;
      const double lo = least_of(l, pick);
      pick[unit] = -1;
      relax(l, lo, -least_of(l, pick));
    }
}

void NetworkBounds::relax(std::size_t layer, double lo, double hi) {
  const std::string& name = layers_[layer].activation;
  std::vector<Unit>& units = units_[layer];
  const Activation activation = parse_activation(name, "activation");
  size_[layer].push_back(std::max(std::abs(activated(activation, lo)), std::abs(activated(activation, hi))));
  if (name == "none" || (name == "relu" && lo >= 0)) return units.push_back({{1, 0}, {1, 0}});
  if (name == "relu" && hi > 0) {
    const double slope = hi / (hi - lo);
    return units.push_back({{hi > -lo ? 1.0 : 0.0, 0}, {slope, -slope * lo}});
  }
  units.push_back({{0, activated(activation, lo)}, {0, activated(activation, hi)}});
}

double NetworkBounds::least_of(std::size_t layer, std::vector<double> weights) const {
  double sum = 0;
  for (std::size_t l = layer;; --l) {
    const Layer& map = layers_[l];
    std::vector<double> before(map.weight.cols);
    for (std::size_t o = 0; o < weights.size(); ++o) {
      if (weights[o] == 0) continue;
      sum += weights[o] * map.bias[o];
      for (std::size_t i = 0; i < before.size(); ++i) before[i] += weights[o] * map.weight[o][i];
    }
    if (l == 0) {
      for (std::size_t i = 0; i < before.size(); ++i)
        sum += before[i] * (before[i] > 0 ? box_.lo[i] : box_.hi[i]);
      return sum;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Unit& unit = units_[l - 1][i];
      const Line& line = before[i] > 0 ? unit.below : unit.above;
      sum += before[i] * line.shift;
      before[i] *= line.slope;
    }
    weights = std::move(before);
  }
}

// Errors add up layer by layer: those of the inputs, one per product and per sum, and those of the
// activation, which scales them by at most its steepest slope and is itself an approximation.
double NetworkBounds::rounding(std::span<const double> weights) const {
  constexpr double unit = 0x1p-24, approximation = 0x1p-20;
  std::vector<double> error, size;
  for (std::size_t i = 0; i < box_.lo.size(); ++i) {
    size.push_back(std::max(std::abs(box_.lo[i]), std::abs(box_.hi[i])));
    error.push_back(unit * size.back());
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& map = layers_[l];
    const bool exact = map.activation == "none" || map.activation == "relu";
    const double slope = steepest(map.activation);
    std::vector<double> next;
    for (std::size_t o = 0; o < map.weight.rows; ++o) {
      double sum = std::abs(map.bias[o]), carried = 0;
      for (std::size_t i = 0; i < size.size(); ++i) {
        sum += std::abs(map.weight[o][i]) * size[i];
        carried += std::abs(map.weight[o][i]) * error[i];
      }
      carried += (static_cast<double>(size.size()) + 3) * unit * sum;
      next.push_back(slope * carried + (exact ? 0 : approximation * (1 + sum)));
    }
    error = std::move(next);
    if (l + 1 < layers_.size()) size = size_[l];
  }
  double total = 0;
  for (std::size_t o = 0; o < weights.size(); ++o) total += std::abs(weights[o]) * error[o];
  return total;
}

}  // namespace scfe
