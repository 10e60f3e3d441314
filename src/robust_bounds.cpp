#include "robust_bounds.h"

#include <algorithm>

#include "kernel/kernels.h"
#include "model/activation.h"

namespace scfe {
namespace {

double activated(const Activation& activation, double z) {
  float in[lane_step] = {}, out[lane_step] = {};
  in[0] = static_cast<float>(z);
  kernel::kernels().activate(activation.kind, activation.parameter, in, out, lane_step);
  return static_cast<double>(out[0]);
}

}  // namespace

bool is_monotone(const std::string& activation) {
  if (activation.find("(-") != std::string::npos) return false;  // a negative slope falls
  for (const std::string_view name : {"none", "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "sigmoid",
                                      "hard_sigmoid", "tanh", "softplus", "softsign"})
    if (activation == name || activation.starts_with(std::string(name) + "(")) return true;
  return false;
}

NetworkBounds::NetworkBounds(std::span<const Layer> layers, InputBox box)
    : layers_(layers), box_(std::move(box)), units_(layers.size()) {
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
  if (name == "none" || (name == "relu" && lo >= 0)) return units.push_back({{1, 0}, {1, 0}});
  if (name == "relu" && hi > 0) {
    const double slope = hi / (hi - lo);
    return units.push_back({{hi > -lo ? 1.0 : 0.0, 0}, {slope, -slope * lo}});
  }
  const Activation activation = parse_activation(name, "activation");
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

}  // namespace scfe
