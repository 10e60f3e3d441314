#include "robust.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernel/kernels.h"
#include "model/activation.h"
#include "model/ensemble.h"

namespace scfe {
namespace {

constexpr std::size_t samples = 256;

// Every activation of the catalogue that never falls.
bool is_monotone(const std::string& activation) {
  for (const std::string_view name : {"none", "relu", "leaky_relu", "elu", "selu", "celu", "sigmoid",
                                      "hard_sigmoid", "tanh", "softplus", "softsign"})
    if (activation == name || activation.starts_with(std::string(name) + "(")) return true;
  return false;
}

bool is_bounded(const Model& model) {
  return !model.layers().empty() && std::ranges::all_of(model.layers(), [](const Layer& layer) {
    return is_monotone(layer.activation);
  });
}

}  // namespace

std::string_view proof_name(Proof proof) {
  return proof == Proof::exact ? "exact" : proof == Proof::bounded ? "bounded" : "sampled";
}

Robustness::Robustness(const Setting& setting, const Validity& validity, int target, double eps)
    : setting_(setting), validity_(validity), target_(static_cast<std::size_t>(target)) {
  const Model& model = setting.model;
  const bool cells = model.ensemble() != nullptr, linear = model.linear() != nullptr;
  proof_ = cells || linear ? Proof::exact : is_bounded(model) ? Proof::bounded : Proof::sampled;
  radius_.assign(setting.space.inputs(), 0.0);
  for (std::size_t f = 0; f < setting.space.features(); ++f) {
    if (setting.space.is_category(f)) continue;
    const double reach = eps * setting.space.range(setting.space.first(f)), step = setting.writing.step[f];
    const bool whole = setting.features[f].kind != Kind::continuous;
    radius_[setting.space.input_of(f)] = whole && step > 0 ? std::floor(reach / step + 1e-9) * step : reach;
  }
}

double Robustness::operator()(std::span<const double> values) const {
  std::vector<double> inputs(setting_.space.inputs());
  setting_.space.to_inputs(values, inputs);
  if (setting_.model.ensemble() != nullptr) return by_cells(inputs);
  return proof_ == Proof::sampled ? by_samples(inputs) : by_intervals(inputs);
}

double Robustness::room(std::vector<double> values, std::size_t feature, double to) const {
  const Model& model = setting_.model;
  const double from = values[feature];
  Block x(setting_.space.inputs(), 1), scores(model.scores(), 1), margins(validity_.rivals(), 1);
  std::vector<int> rival(validity_.rivals() * margins.stride());
  std::vector<double> inputs(setting_.space.inputs());
  const auto tape = model.tape(1);
  const auto holds = [&](double share) {
    values[feature] = from + share * (to - from);
    setting_.space.to_inputs(values, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) x[i][0] = static_cast<float>(inputs[i]);
    model.forward(x, scores, *tape);
    validity_.margins(scores, margins, rival);
    return margins[0][0] > 0;
  };
  double inside = 0, outside = 1;
  if (holds(1)) return std::abs(to - from);
  for (int i = 0; i < 30; ++i) {
    const double middle = (inside + outside) / 2;
    (holds(middle) ? inside : outside) = middle;
  }
  return inside * std::abs(to - from);
}

namespace {

// One score, or one class against another, over intervals of the last hidden layer.
struct Intervals {
  std::vector<double> lo, hi;
};

double least(const Layer& layer, const Intervals& at, std::size_t wished, std::optional<std::size_t> rival,
             double sign) {
  const auto weight = [&](std::size_t i) {
    return sign * (layer.weight[wished][i] - (rival ? layer.weight[*rival][i] : 0.0));
  };
  double sum = sign * (layer.bias[wished] - (rival ? layer.bias[*rival] : 0.0));
  for (std::size_t i = 0; i < at.lo.size(); ++i) sum += weight(i) * (weight(i) > 0 ? at.lo[i] : at.hi[i]);
  return sum;
}

double activated(const Activation& activation, double z) {
  float in[lane_step] = {}, out[lane_step] = {};
  in[0] = static_cast<float>(z);
  kernel::kernels().activate(activation.kind, activation.parameter, in, out, lane_step);
  return out[0];
}

Intervals through(const Layer& layer, const Intervals& at) {
  const Activation activation = parse_activation(layer.activation, "activation");
  Intervals next;
  for (std::size_t o = 0; o < layer.weight.rows; ++o) {
    double lo = layer.bias[o], hi = layer.bias[o];
    for (std::size_t i = 0; i < layer.weight.cols; ++i) {
      const double w = layer.weight[o][i];
      lo += w * (w > 0 ? at.lo[i] : at.hi[i]);
      hi += w * (w > 0 ? at.hi[i] : at.lo[i]);
    }
    next.lo.push_back(activated(activation, lo));
    next.hi.push_back(activated(activation, hi));
  }
  return next;
}

}  // namespace

double Robustness::by_intervals(std::span<const double> inputs) const {
  const std::span<const Layer> layers = setting_.model.layers();
  Intervals at;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    at.lo.push_back(inputs[i] - radius_[i]);
    at.hi.push_back(inputs[i] + radius_[i]);
  }
  for (const Layer& layer : layers.first(layers.size() - 1)) at = through(layer, at);
  const Layer& last = layers.back();
  if (last.weight.rows == 1)
    return validity_.least_margin(least(last, at, 0, {}, 1), -least(last, at, 0, {}, -1));
  double margin = INFINITY;
  for (std::size_t rival = 0; rival < last.weight.rows; ++rival)
    if (rival != target_) margin = std::min(margin, least(last, at, target_, rival, 1));
  return margin;
}

double Robustness::by_samples(std::span<const double> inputs) const {
  const Model& model = setting_.model;
  const std::size_t lanes = 64;
  Block x(inputs.size(), lanes), scores(model.scores(), lanes), margins(validity_.rivals(), lanes),
      seed(model.scores(), lanes), gradient(inputs.size(), lanes);
  std::vector<int> rival(validity_.rivals() * margins.stride());
  const auto tape = model.tape(lanes);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (std::size_t i = 0; i < inputs.size(); ++i) x[i][lane] = static_cast<float>(inputs[i]);
  const auto measure = [&] {
    model.forward(x, scores, *tape);
    validity_.margins(scores, margins, rival);
    double lowest = INFINITY;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      lowest = std::isnan(margins[0][lane]) ? -INFINITY : std::min<double>(lowest, margins[0][lane]);
    return lowest;
  };
  double lowest = measure();
  validity_.seed(scores, rival, 0, seed);
  model.backward(seed, gradient, *tape);
  std::mt19937_64 random(1);
  for (std::size_t block = 0; block < samples / lanes; ++block) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const double fear = gradient[i][0] > 0 ? -1 : 1;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const double uniform = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
        const double share = block == 0 && lane == 0 ? fear
                             : lane % 2 == 0         ? (uniform < 0 ? -1.0 : 1.0)
                                                     : uniform;
        x[i][lane] = static_cast<float>(inputs[i] + share * radius_[i]);
      }
    }
    lowest = std::min(lowest, measure());
  }
  return lowest;
}

}  // namespace scfe
