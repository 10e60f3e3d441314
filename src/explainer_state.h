// All that an Explainer holds: what it was given and what it fitted.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "explain.h"
#include "scfe/explainer.h"

namespace scfe {

struct Explainer::State {
  std::shared_ptr<const Model> model;
  Options options;
  std::vector<Feature> features;
  Scaling scaling;
  Writing writing;
  std::vector<double> weight;
  std::vector<Matrix> class_rows;  // correctly classified, work space
  std::vector<FittedDensity> densities;
  std::vector<std::vector<FittedDensity>> neighbour_grids;

  void fit_class(std::size_t target);
  void check_query(const Matrix& factuals, const Options& query, std::span<const int> targets) const;
  int wished_class(const Options& query, std::span<const int> targets, std::size_t row, int predicted) const;
  Setting setting(std::size_t target) const {
    return {*model, scaling, writing, features, weight, densities[target], neighbour_grids[target]};
  }
};

}  // namespace scfe
