#include "robust.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "actionability/links.h"
#include "model/ensemble.h"

namespace scfe {
namespace {

constexpr std::size_t samples = 256;

// Sets of codes on a number that moves are no intervals.
bool splits_in_order(const Ensemble& ensemble, std::span<const double> radius) {
  return std::ranges::none_of(ensemble.nodes, [&](const Ensemble::Node& node) {
    return node.split == Ensemble::Split::codes && radius[node.input] > 0;
  });
}

bool is_bounded(const Model& model) {
  if (model.layers().empty() || model.layers().back().activation != "none") return false;
  return std::ranges::all_of(model.layers(),
                             [](const Layer& layer) { return is_monotone(layer.activation); });
}

}  // namespace

std::string_view proof_name(Proof proof) {
  return proof == Proof::exact ? "exact" : proof == Proof::bounded ? "bounded" : "sampled";
}

Robustness::Robustness(const Setting& setting, const Validity& validity, int target, const Nearby& nearby)
    : setting_(setting),
      validity_(validity),
      target_(static_cast<std::size_t>(target)),
      deadline_(nearby.deadline) {
  const Model& model = setting.model;
  const bool linear = model.linear() != nullptr;
  radius_.assign(setting.space.inputs(), 0.0);
  for (std::size_t f = 0; f < setting.space.features(); ++f) {
    if (setting.space.is_category(f)) continue;
    const double reach = nearby.eps * setting.space.range(setting.space.first(f)),
                 step = setting.writing.step[f];
    const bool whole = setting.features[f].kind != Kind::continuous;
    radius_[setting.space.input_of(f)] = whole && step > 0 ? std::floor(reach / step + 1e-9) * step : reach;
  }
  const bool exact = linear || (model.ensemble() != nullptr && splits_in_order(*model.ensemble(), radius_));
  proof_ = exact ? Proof::exact : is_bounded(model) ? Proof::bounded : Proof::sampled;
  if (model.ensemble() != nullptr) rounding_ = rounding_of_cells();
}

double Robustness::operator()(std::span<const double> values) const {
  std::vector<double> inputs(setting_.space.inputs());
  setting_.space.to_inputs(values, inputs);
  if (proof_ == Proof::sampled) return by_samples(inputs);
  return setting_.model.ensemble() != nullptr ? by_cells(box_around(inputs)) : by_bounds(box_around(inputs));
}

bool Robustness::holds(std::span<const double> values) const {
  if (proof_ == Proof::sampled || setting_.model.ensemble() == nullptr)
    return (*this)(values) >= validity_.required();
  std::vector<double> inputs(setting_.space.inputs());
  setting_.space.to_inputs(values, inputs);
  return by_cells(box_around(inputs), true) >= validity_.required();
}

InputBox Robustness::box_around(std::span<const double> inputs) const {
  InputBox box;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    box.lo.push_back(inputs[i] - radius_[i]);
    box.hi.push_back(inputs[i] + radius_[i]);
  }
  return box;
}

// What is derived of the number follows it, so that its box is no longer one number's.
bool Robustness::granted_until(std::span<const double> values, std::size_t feature, double to) const {
  constexpr std::size_t points = 64;
  const Space& space = setting_.space;
  const Model& model = setting_.model;
  std::vector<double> row(values.begin(), values.end()), inputs(space.inputs());
  space.to_inputs(row, inputs);
  if (model.ensemble() != nullptr && proof_ == Proof::exact && setting_.rules.derived.empty()) {
    InputBox box{inputs, inputs};
    const std::size_t input = space.input_of(feature);
    (to < values[feature] ? box.lo : box.hi)[input] = to;
    return by_cells(box) > validity_.granted();
  }
  const Links links({setting_.rules, space, setting_.writing}, setting_.features, values);
  Block x(space.inputs(), points), scores(model.scores(), points), margins(validity_.rivals(), points);
  std::vector<int> rival(validity_.rivals() * margins.stride());
  for (std::size_t lane = 0; lane < points; ++lane) {
    row.assign(values.begin(), values.end());
    row[feature] += (to - row[feature]) * static_cast<double>(lane + 1) / points;
    links.complete(row);
    space.to_inputs(row, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) x[i][lane] = static_cast<float>(inputs[i]);
  }
  const auto tape = model.tape(points);
  model.forward(x, scores, *tape);
  validity_.margins(scores, margins, rival);
  return std::all_of(margins[0], margins[0] + points, [&](float m) { return m > validity_.granted(); });
}

double Robustness::room(std::span<const double> values, std::size_t feature, double to) const {
  const double from = values[feature], way = to - from, step = setting_.writing.step[feature];
  if (granted_until(values, feature, to)) return std::abs(way);
  double inside = 0, outside = 1;
  for (int i = 0; i < 30; ++i) {
    const double middle = (inside + outside) / 2;
    (granted_until(values, feature, from + middle * way) ? inside : outside) = middle;
  }
  const double room = inside * std::abs(way);
  return step > 0 ? setting_.writing.nearest(feature, std::floor(room / step + 1e-6) * step) : room;
}

double Robustness::by_bounds(InputBox box) const {
  const NetworkBounds bounds(setting_.model.layers(), std::move(box));
  const std::size_t scores = setting_.model.scores();
  if (scores == 1)
    return validity_.least_margin(bounds.least({1}), -bounds.least({-1})) -
           bounds.rounding(std::vector<double>{1});
  double margin = INFINITY;
  for (std::size_t rival = 0; rival < scores; ++rival) {
    if (rival == target_) continue;
    std::vector<double> weights(scores);
    weights[target_] = 1;
    weights[rival] = -1;
    margin = std::min(margin, bounds.least(weights) - bounds.rounding(weights));
  }
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
