#include "stability/robustness.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "actionability/formula_range.h"
#include "model/network/coded_network.h"
#include "model/trees/ensemble.h"
#include "stability/tree_searches.h"

namespace scfe {
namespace {

constexpr std::size_t samples = 256;

// False if a tree tests a moving number against a set of codes: then its cells are not intervals.
bool splits_in_order(const Ensemble& ensemble, std::span<const char> moves) {
  return std::ranges::none_of(ensemble.nodes, [&](const Ensemble::Node& node) {
    return node.split == Ensemble::Split::codes && moves[node.input] != 0;
  });
}

bool is_bounded(std::span<const Layer> layers) {
  if (layers.empty() || layers.back().activation != "none") return false;
  return std::ranges::all_of(layers, [](const Layer& layer) { return is_monotone(layer.activation); });
}

bool is_linear(std::span<const Layer> layers) {
  return !layers.empty() &&
         std::ranges::all_of(layers, [](const Layer& layer) { return layer.activation == "none"; });
}

}  // namespace

Robustness::Robustness(const Query& query)
    : fitted_(query.fitted),
      validity_(query.validity),
      target_(static_cast<std::size_t>(query.target)),
      deadline_(query.deadline),
      radius_(fitted_.space.features()),
      moves_(fitted_.space.inputs()) {
  const Space& space = fitted_.space;
  for (std::size_t f = 0; f < space.features(); ++f) {
    if (space.is_category(f)) continue;
    const double reach = query.options.robust * space.range(f), step = fitted_.writing.step[f];
    const bool whole = fitted_.features[f].kind != Kind::continuous;
    radius_[f] = whole && step > 0 ? std::floor(reach / step + 1e-9) * step : reach;
    moves_[space.input_of(f)] = radius_[f] > 0 || fitted_.rules.is_derived(f);
  }
  const Model& model = fitted_.model;
  const Ensemble* ensemble = model.ensemble();
  std::vector<Layer> own;
  if (model.layers().empty()) coded_ = dynamic_cast<const CodedNetwork*>(&model);
  if (coded_ != nullptr) own = coded_->layers_at(std::vector<double>(space.inputs()), moves_);
  const std::span<const Layer> layers = coded_ != nullptr ? own : model.layers();
  const bool cells = ensemble != nullptr && splits_in_order(*ensemble, moves_);
  const bool exact = cells || (ensemble == nullptr && is_linear(layers));
  // A derived column gets an independent interval, which holds more than it takes together with its sources.
  proof_ = exact && fitted_.rules.derived.empty() ? StabilityProof::exact
           : exact || is_bounded(layers)          ? StabilityProof::bounded
                                                  : StabilityProof::sampled;
  if (ensemble != nullptr) {
    rounding_ = rounding_of_cells();
    most_ = most_of_cells();
    searches_ = std::make_shared<TreeSearches>(*ensemble);
  }
}

double Robustness::operator()(std::span<const double> values) const {
  return proof_ == StabilityProof::sampled ? by_samples(values) : by_box(box_around(values), false);
}

bool Robustness::holds(std::span<const double> values) const {
  return (proof_ == StabilityProof::sampled ? by_samples(values) : by_box(box_around(values), true)) >=
         validity_.required();
}

// Nothing is known of a formula that may divide by 0.
double Robustness::by_box(const InputBox& box, bool only_whether) const {
  const auto finite = [](double end) { return std::isfinite(end); };
  if (!std::ranges::all_of(box.lo, finite) || !std::ranges::all_of(box.hi, finite)) return -INFINITY;
  return fitted_.model.ensemble() != nullptr ? by_cells(box, only_whether) : by_bounds(box);
}

// A derived column stays as it is unless one of its sources moves: the row may have come with a value that
// differs from the formula, or with a source that a map does not list. Else it covers the range of its
// formula and its present value.
InputBox Robustness::box_around(std::span<const double> values) const {
  std::vector<Interval> around;
  for (std::size_t f = 0; f < values.size(); ++f)
    around.push_back({values[f] - radius_[f], values[f] + radius_[f]});
  for (const Derivation& derivation : fitted_.rules.derived) {
    const std::size_t f = derivation.feature;
    around[f] = {values[f], values[f]};
    if (std::ranges::none_of(derivation.sources, [&](std::size_t s) { return around[s].lo < around[s].hi; }))
      continue;
    const Interval range = formula_range(derivation.formula, around);
    around[f] = {std::min(values[f], as_written(f, range.lo)), std::max(values[f], as_written(f, range.hi))};
  }
  InputBox box;
  box.lo.resize(fitted_.space.inputs());
  fitted_.space.to_inputs(values, box.lo);
  box.hi = box.lo;
  for (std::size_t f = 0; f < values.size(); ++f) {
    // A box holds no other levels, so nothing is known where a derived level may change.
    const bool category = fitted_.space.is_category(f);
    if (category && !(around[f].lo < around[f].hi)) continue;
    box.lo[fitted_.space.input_of(f)] = category ? -INFINITY : around[f].lo;
    box.hi[fitted_.space.input_of(f)] = category ? INFINITY : around[f].hi;
  }
  return box;
}

double Robustness::as_written(std::size_t feature, double x) const {
  const bool stepped = fitted_.writing.step[feature] > 0 && std::isfinite(x);
  return stepped ? fitted_.writing.nearest(feature, x) : x;
}

// Computes the derived columns of a row near `values`; those of which no source differs stay as they are
// there. False if a formula has no value: it divides by 0, or its map does not list the source.
bool Robustness::derive(std::span<const double> values, std::span<double> row) const {
  for (const Derivation& d : fitted_.rules.derived) {
    const bool moved = std::ranges::any_of(d.sources, [&](std::size_t s) { return row[s] != values[s]; });
    row[d.feature] = moved ? as_written(d.feature, d.formula.value(row)) : values[d.feature];
    if (!std::isfinite(row[d.feature])) return false;
  }
  return true;
}

// Columns derived from the number move with it, so that the box over one number alone is not enough then.
bool Robustness::stays_valid(std::span<const double> values, std::size_t feature, double to) const {
  constexpr std::size_t points = 64;
  const Space& space = fitted_.space;
  const Model& model = fitted_.model;
  std::vector<double> row(values.begin(), values.end()), inputs(space.inputs());
  space.to_inputs(row, inputs);
  if (model.ensemble() != nullptr && proof_ == StabilityProof::exact && fitted_.rules.derived.empty()) {
    InputBox box{inputs, inputs};
    const std::size_t input = space.input_of(feature);
    (to < values[feature] ? box.lo : box.hi)[input] = to;
    return by_cells(box) > validity_.decision_margin();
  }
  Block x(space.inputs(), points), scores(model.scores(), points), margins(validity_.rivals(), points);
  std::vector<int> rival(validity_.rivals() * margins.stride());
  for (std::size_t lane = 0; lane < points; ++lane) {
    row.assign(values.begin(), values.end());
    row[feature] += (to - row[feature]) * static_cast<double>(lane + 1) / points;
    if (!derive(values, row)) return false;
    space.to_inputs(row, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) x[i][lane] = static_cast<float>(inputs[i]);
  }
  const auto tape = model.tape(points);
  model.forward(x, scores, *tape);
  validity_.margins(scores, margins, rival);
  // A small tolerance, because other runtimes round differently.
  const double line =
      validity_.decision_margin() + std::min(1e-4, validity_.required() - validity_.decision_margin());
  return std::all_of(margins[0], margins[0] + points, [&](float m) { return m >= line; });
}

double Robustness::room(std::span<const double> values, std::size_t feature, double to) const {
  const double from = values[feature], way = to - from, step = fitted_.writing.step[feature];
  if (stays_valid(values, feature, to)) return std::abs(way);
  double inside = 0, outside = 1;
  for (int i = 0; i < 30; ++i) {
    const double middle = (inside + outside) / 2;
    (stays_valid(values, feature, from + middle * way) ? inside : outside) = middle;
  }
  const double room = inside * std::abs(way);
  if (!(step > 0)) return room;
  // Bisection ends just short of a step that may still be valid.
  const double whole = fitted_.writing.nearest(feature, std::floor(room / step + 1e-6) * step);
  const bool beyond = whole > room && !stays_valid(values, feature, from + std::copysign(whole, way));
  return beyond ? fitted_.writing.nearest(feature, whole - step) : whole;
}

double Robustness::by_bounds(const InputBox& box) const {
  std::vector<Layer> own;
  if (coded_ != nullptr) own = coded_->layers_at(box.lo, moves_);
  NetworkBounds bounds(coded_ != nullptr ? own : fitted_.model.layers(), box);
  const std::size_t scores = fitted_.model.scores();
  const std::vector<double> one = {1}, minus = {-1};
  if (scores == 1)
    return validity_.least_margin(bounds.least(one), -bounds.least(minus)) - bounds.rounding(one);
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

double Robustness::by_samples(std::span<const double> values) const {
  const Model& model = fitted_.model;
  const Space& space = fitted_.space;
  const std::size_t lanes = 64;
  Block x(space.inputs(), lanes), scores(model.scores(), lanes), margins(validity_.rivals(), lanes),
      seed(model.scores(), lanes), gradient(space.inputs(), lanes);
  std::vector<int> rival(validity_.rivals() * margins.stride());
  std::vector<double> row(values.begin(), values.end()), inputs(space.inputs());
  const auto tape = model.tape(lanes);
  const auto put = [&](std::size_t lane) {
    space.to_inputs(row, inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) x[i][lane] = static_cast<float>(inputs[i]);
  };
  const auto measure = [&] {
    model.forward(x, scores, *tape);
    validity_.margins(scores, margins, rival);
    double lowest = INFINITY;
    for (std::size_t lane = 0; lane < lanes; ++lane)
      lowest = std::isnan(margins[0][lane]) ? -INFINITY : std::min<double>(lowest, margins[0][lane]);
    return lowest;
  };
  for (std::size_t lane = 0; lane < lanes; ++lane) put(lane);
  double lowest = measure();
  validity_.seed(scores, rival, 0, seed);
  model.backward(seed, gradient, *tape);
  std::vector<double> worst(values.size());
  for (std::size_t f = 0; f < values.size(); ++f) worst[f] = gradient[space.input_of(f)][0] > 0 ? -1 : 1;
  std::mt19937_64 random(1);
  for (std::size_t block = 0; block < samples / lanes; ++block) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t f = 0; f < values.size(); ++f) {
        const double uniform = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
        const double share = block == 0 && lane == 0 ? worst[f]
                             : lane % 2 == 0         ? (uniform < 0 ? -1.0 : 1.0)
                                                     : uniform;
        row[f] = values[f] + share * radius_[f];
      }
      if (!derive(values, row)) return -INFINITY;
      put(lane);
    }
    lowest = std::min(lowest, measure());
  }
  return lowest;
}

}  // namespace scfe
