// Random tree ensembles over a few mixed features, and rows for them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "actionability/space.h"
#include "actionability/writing.h"
#include "model/trees/ensemble.h"
#include "query/row.h"
#include "scfe/feature.h"
#include "tests/helper/uniform.h"

namespace scfe::test {

struct TreeCase {
  std::vector<Feature> features;
  Space space;
  Writing writing;
  Ensemble ensemble;
  Row instance;
};

inline double cost_of(const TreeCase& c, const std::vector<double>& values) {
  double cost = 0;
  for (std::size_t f = 0; f < values.size(); ++f) cost += c.space.cost(f, c.instance.values[f], values[f]);
  return cost;
}

class CaseMaker {
 public:
  explicit CaseMaker(std::uint64_t seed, const Proximity& proximity = {})
      : random_(seed), proximity_(proximity) {}

  TreeCase make() {
    TreeCase made;
    const int features = random_.integer(2, 6);
    Scaling scaling;
    for (int f = 0; f < features; ++f) add_feature(made, scaling, f);
    made.space = Space(made.features, scaling, std::vector<double>(scaling.columns(), 1.0), proximity_);
    Ensemble& e = made.ensemble;
    e.inputs = made.space.inputs();
    e.single = random_.chance(0.5);
    e.link = random_.chance(0.3) ? Ensemble::Link::probability : Ensemble::Link::logit;
    const std::size_t scores = random_.chance(0.6) ? 1 : static_cast<std::size_t>(random_.integer(2, 4));
    const int trees = random_.integer(1, 20);
    e.scale = e.link == Ensemble::Link::probability ? 1.0 / trees : 1;
    for (std::size_t k = 0; k < scores; ++k)
      e.base.push_back(e.link == Ensemble::Link::probability ? 0 : random_(-1, 1));
    const int depth = random_.integer(1, 4);
    for (int t = 0; t < trees; ++t) e.roots.push_back(grow(made, depth));
    make_row(made);
    made.instance.required = 1e-4;
    return made;
  }
  Uniform& random() { return random_; }

 private:
  void add_feature(TreeCase& made, Scaling& scaling, int f) {
    Feature feature;
    feature.name = "f" + std::to_string(f);
    const int kind = random_.integer(0, 4);
    feature.weight = random_.chance(0.3) ? 2 : 1;
    if (kind < 2) {
      feature.kind = Kind::categorical;
      feature.encoding = kind == 0 ? Encoding::one_hot : Encoding::code;
      const int levels = random_.chance(0.05) ? 70 : random_.integer(2, 6);
      for (int l = 0; l < levels; ++l) feature.levels.push_back("l" + std::to_string(l));
    } else {
      feature.min = random_.integer(-3, 0);
      feature.max = *feature.min + random_.integer(1, 9);
      feature.step = kind == 2 ? 1.0 : kind == 3 ? 0.5 : 0.0;
    }
    for (std::size_t i = 0; i < feature.width(); ++i) {
      scaling.offset.push_back(feature.is_category() ? 0 : *feature.min);
      const double range = feature.is_category() ? 1 : *feature.max - *feature.min;
      scaling.scale.push_back(range);
      scaling.range.push_back(range);
      input_feature_.push_back(static_cast<std::size_t>(f));
    }
    made.writing.step.push_back(feature.is_category() ? 0 : *feature.step);
    made.features.push_back(std::move(feature));
    if (f == 0) input_feature_.resize(made.features[0].width(), 0);
  }

  std::uint32_t leaf(TreeCase& made) {
    Ensemble& e = made.ensemble;
    Ensemble::Node node;
    node.first = static_cast<std::uint32_t>(e.values.size());
    const auto scores = static_cast<std::uint32_t>(e.base.size());
    if (e.link == Ensemble::Link::probability) {
      std::vector<double> share(scores);
      double total = 0;
      for (double& part : share) total += part = random_(0.01, 1);
      for (std::uint32_t k = 0; k < scores; ++k)
        e.values.push_back({k, scores == 1 ? random_.unit() : share[k] / total});
    } else {
      for (std::uint32_t k = 0; k < scores; ++k)
        if (scores == 1 || random_.chance(0.7)) e.values.push_back({k, random_(-1, 1)});
    }
    if (e.single)
      for (std::size_t i = node.first; i < e.values.size(); ++i)
        e.values[i].value = static_cast<double>(static_cast<float>(e.values[i].value));
    node.last = static_cast<std::uint32_t>(e.values.size());
    e.nodes.push_back(node);
    return static_cast<std::uint32_t>(e.nodes.size() - 1);
  }

  std::uint32_t grow(TreeCase& made, int depth) {
    if (depth == 0 || random_.chance(0.1)) return leaf(made);
    Ensemble& e = made.ensemble;
    const std::uint32_t yes = grow(made, depth - 1), no = grow(made, depth - 1);
    const auto input = static_cast<std::uint32_t>(random_.integer(0, static_cast<int>(e.inputs) - 1));
    const Feature& feature = made.features[input_feature_[input]];
    e.nodes.emplace_back();
    const auto at = static_cast<std::uint32_t>(e.nodes.size() - 1);
    const bool coded = feature.is_category() && feature.encoding == Encoding::code;
    if ((coded && random_.chance(0.7)) || (!feature.is_category() && random_.chance(0.15))) {
      Ensemble::Node node;
      node.input = input;
      node.left = yes;
      node.right = no;
      std::vector<std::uint32_t> members;
      for (std::uint32_t c = 0; c < 70; ++c)
        if (random_.chance(0.4)) members.push_back(c);
      set_codes(e, node, members);
      e.nodes[at] = node;
      return at;
    }
    double threshold = feature.is_category()
                           ? (coded ? random_(0, static_cast<double>(feature.levels.size())) : random_(0, 1))
                           : random_(*feature.min, *feature.max);
    if (random_.chance(0.5)) threshold = std::round(2 * threshold) / 2;
    if (e.single) threshold = static_cast<double>(static_cast<float>(threshold));
    const Compare compare =
        random_.chance(0.5) ? Compare::less_equal : static_cast<Compare>(random_.integer(0, 5));
    set_branch(e, at, {input, compare, threshold, random_.chance(0.5), yes, no});
    return at;
  }

  void make_row(TreeCase& made) {
    Row& row = made.instance;
    const std::size_t d = made.features.size();
    row.factual.resize(made.space.columns());
    row.lo.assign(made.space.columns(), 0);
    row.hi.assign(made.space.columns(), 0);
    row.levels.resize(d);
    for (std::size_t f = 0; f < d; ++f) {
      const Feature& feature = made.features[f];
      const bool frozen = random_.chance(0.15);
      if (feature.is_category()) {
        const int own = random_.integer(0, static_cast<int>(feature.levels.size()) - 1);
        row.values.push_back(own);
        for (int l = 0; l < static_cast<int>(feature.levels.size()); ++l)
          if (l == own || (!frozen && random_.chance(0.8))) row.levels[f].push_back(l);
        continue;
      }
      double x = random_(*feature.min - 0.5, *feature.max + 0.5);
      if (*feature.step > 0) x = std::round(x / *feature.step) * *feature.step;
      row.values.push_back(x);
    }
    made.space.to_columns(row.values, row.factual);
    for (std::size_t f = 0; f < d; ++f) {
      const Feature& feature = made.features[f];
      if (feature.is_category() || random_.chance(0.1)) continue;
      const std::size_t column = made.space.first(f);
      const double u = row.factual[column];
      if (row.values[f] > *feature.min && random_.chance(0.9))
        row.lo[column] = made.space.to_work(column, *feature.min) - u;
      if (row.values[f] < *feature.max && random_.chance(0.9))
        row.hi[column] = made.space.to_work(column, *feature.max) - u;
    }
  }

  Uniform random_;
  Proximity proximity_;
  std::vector<std::size_t> input_feature_;
};

}  // namespace scfe::test
