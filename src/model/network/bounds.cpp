#include "model/network/bounds.h"

#include <algorithm>
#include <cmath>

#include "kernel/kernels.h"

namespace scfe {
namespace {

double activated(const Activation& activation, double z) {
  float in[lane_step] = {}, out[lane_step] = {};
  in[0] = static_cast<float>(z);
  kernel::kernels().activate(activation.kind, activation.parameter, in, out, lane_step);
  return static_cast<double>(out[0]);
}

// No activation is steeper anywhere: SELU reaches 1.76, some what their parameter says.
double steepest(const Activation& activation) {
  const auto kind = activation.kind;
  if (kind == kernel::activation_leaky_relu || kind == kernel::activation_elu ||
      kind == kernel::activation_hard_sigmoid)
    return std::max(1.0, std::abs(static_cast<double>(activation.parameter)));
  return kind == kernel::activation_selu ? 2 : 1;
}

}  // namespace

bool is_monotone(const std::string& activation) {
  if (activation.find("(-") != std::string::npos) return false;  // a negative slope falls
  for (const std::string_view name : {"none", "relu", "relu6", "leaky_relu", "elu", "selu", "celu", "sigmoid",
                                      "hard_sigmoid", "tanh", "softplus", "softsign"})
    if (activation == name || activation.starts_with(std::string(name) + "(")) return true;
  return false;
}

NetworkBounds::NetworkBounds(std::span<const Layer> layers)
    : layers_(layers), width_(layers.front().weight.cols + 1) {
  std::size_t widest = 0, rows = 0;
  for (const Layer& layer : layers) {
    activation_.push_back(parse_activation(layer.activation, "activation"));
    first_.push_back(rows);
    rows += layer.weight.rows;
    widest = std::max({widest, layer.weight.rows, layer.weight.cols});
  }
  upper_.resize(rows * width_);
  lower_.resize(rows * width_);
  weight_.resize(widest);
  next_.resize(widest);
  range_.resize(first_.back());
  above_.resize(hidden());
  below_.resize(hidden());
  share_.resize(hidden());
}

NetworkBounds::NetworkBounds(std::span<const Layer> layers, const InputBox& box) : NetworkBounds(layers) {
  std::vector<Unit> units(hidden(), Unit::open);
  compute(box.lo, box.hi, units);
}

// weight_·(what enters the layer) + offset as a linear function of x: each activation by its line.
void NetworkBounds::substitute(std::size_t layer, double offset, bool upwards, std::span<double> line) {
  const bool score = layer + 1 == layers_.size();
  for (std::size_t l = layer; l-- > 0;) {
    const Matrix& w = layers_[l].weight;
    for (std::size_t k = 0; k < w.rows; ++k) {
      const std::size_t unit = first_[l] + k;
      const double c = weight_[k];
      const Line& by = (c > 0) == upwards ? above_[unit] : below_[unit];
      if (score && upwards) share_[unit] += std::abs(c) * above_[unit].offset;
      offset += c * by.offset;
      weight_[k] = c * by.slope;
    }
    std::fill_n(next_.begin(), w.cols, 0.0);
    for (std::size_t k = 0; k < w.rows; ++k) {
      const double c = weight_[k];
      if (c == 0) continue;
      offset += c * layers_[l].bias[k];
      for (std::size_t j = 0; j < w.cols; ++j) next_[j] += c * w[k][j];
    }
    weight_.swap(next_);
  }
  std::copy_n(weight_.begin(), width_ - 1, line.begin());
  line[width_ - 1] = offset;
}

double NetworkBounds::extreme(std::span<const double> line, bool upwards) const {
  double sum = line[width_ - 1];
  for (std::size_t j = 0; j + 1 < width_; ++j) sum += line[j] * ((line[j] > 0) == upwards ? hi_[j] : lo_[j]);
  return sum;
}

bool NetworkBounds::compute(std::span<const double> lo, std::span<const double> hi,
                            std::vector<Unit>& units) {
  lo_ = lo;
  hi_ = hi;
  std::ranges::fill(share_, 0.0);
  for (std::size_t l = 0; l < layers_.size(); ++l)
    for (std::size_t i = 0; i < layers_[l].weight.rows; ++i) {
      const std::size_t row = first_[l] + i;
      for (const bool upwards : {true, false}) {
        std::ranges::copy(layers_[l].weight[i], weight_.begin());
        const std::span<double> line{(upwards ? upper_ : lower_).data() + row * width_, width_};
        substitute(l, layers_[l].bias[i], upwards, line);
      }
      if (row >= hidden()) continue;
      range_[row] = {extreme(lower(row), false), extreme(upper(row), true)};
      if (!relax(activation_[l], row, units[row])) return false;
    }
  return true;
}

// The lines of a unit's activation; false if the unit cannot be what it is known to be.
bool NetworkBounds::relax(const Activation& activation, std::size_t row, Unit& unit) {
  const auto [lo, hi] = range_[row];
  Line &above = above_[row], &below = below_[row];
  if (activation.kind == kernel::activation_none) {
    above = below = {1, 0};
  } else if (activation.kind != kernel::activation_relu) {
    above = {0, activated(activation, hi)};
    below = {0, activated(activation, lo)};
  } else {
    if ((unit == Unit::on && hi < 0) || (unit == Unit::off && lo > 0)) return false;
    if (unit == Unit::open && lo >= 0) unit = Unit::on;
    if (unit == Unit::open && hi <= 0) unit = Unit::off;
    const double slope = unit == Unit::open ? hi / (hi - lo) : unit == Unit::on ? 1.0 : 0.0;
    above = {slope, unit == Unit::open ? -slope * lo : 0.0};
    below = {unit == Unit::open ? (hi > -lo ? 1.0 : 0.0) : slope, 0};
  }
  return true;
}

std::size_t NetworkBounds::widest_open(const std::vector<Unit>& units) const {
  std::size_t best = hidden();
  for (std::size_t unit = 0; unit < hidden(); ++unit)
    if (units[unit] == Unit::open && (best == hidden() || share_[unit] > share_[best])) best = unit;
  return best;
}

double NetworkBounds::least(std::span<const double> weights) {
  const Layer& last = layers_.back();
  std::ranges::fill(weight_, 0.0);
  double offset = 0;
  for (std::size_t o = 0; o < weights.size(); ++o) {
    offset += weights[o] * last.bias[o];
    for (std::size_t i = 0; i < last.weight.cols; ++i) weight_[i] += weights[o] * last.weight[o][i];
  }
  std::vector<double> line(width_);
  substitute(layers_.size() - 1, offset, false, line);
  return extreme(line, false);
}

// Errors add up layer by layer: those of what comes in, one of each product and sum, and those of the
// activation, which stretches them by its steepest slope and is itself an approximation.
double NetworkBounds::rounding(std::span<const double> weights) const {
  constexpr double unit = 0x1p-24, approximation = 0x1p-20;
  std::vector<double> error, size;
  for (std::size_t i = 0; i < lo_.size(); ++i) {
    size.push_back(std::max(std::abs(lo_[i]), std::abs(hi_[i])));
    error.push_back(unit * size.back());
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& map = layers_[l];
    const Activation& f = activation_[l];
    const bool exact = f.kind == kernel::activation_none || f.kind == kernel::activation_relu;
    std::vector<double> next, largest;
    for (std::size_t o = 0; o < map.weight.rows; ++o) {
      double sum = std::abs(map.bias[o]), carried = 0;
      for (std::size_t i = 0; i < size.size(); ++i) {
        sum += std::abs(map.weight[o][i]) * size[i];
        carried += std::abs(map.weight[o][i]) * error[i];
      }
      carried += (static_cast<double>(size.size()) + 3) * unit * sum;
      next.push_back(steepest(f) * carried + (exact ? 0 : approximation * (1 + sum)));
      if (l + 1 == layers_.size()) continue;
      const Range& z = range_[first_[l] + o];
      largest.push_back(std::max(std::abs(activated(f, z.lo)), std::abs(activated(f, z.hi))));
    }
    error = std::move(next);
    size = std::move(largest);
  }
  double total = 0;
  for (std::size_t o = 0; o < weights.size(); ++o) total += std::abs(weights[o]) * error[o];
  return total;
}

}  // namespace scfe
