// All that an Explainer holds: what it was given and what it fitted.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "explainer/own_density.h"
#include "plausibility/catalogue.h"
#include "query/make_row.h"
#include "scfe/explainer.h"
#include "support/parallel.h"

namespace scfe {

// What was fitted for each class. Copies of an explainer share it.
struct FittedClasses {
  std::vector<Matrix> rows;  // correctly classified, in short form (Space::to_short)
  std::vector<FittedDensity> densities;
  std::vector<std::vector<FittedDensity>> neighbour_grids;
};

struct Explainer::State {
  std::shared_ptr<const Model> model;
  Options fitted_options;
  std::vector<Feature> features;
  Scaling scaling;             // of the model's inputs
  std::vector<double> weight;  // of each input in the distance
  Space space;                 // made of the features, the scaling and the weights
  Writing writing;
  Rules rules;
  // Features and rules as they were fitted, without those of the question.
  std::vector<Feature> schema_features;
  std::vector<std::string> schema_rules;
  std::shared_ptr<const FittedClasses> classes;
  std::shared_ptr<const Model> autoencoder;  // null: none
  std::shared_ptr<Prepared> prepared;        // for these features and rules

  // Sets the features, and the space and the writing, which follow from them.
  void set_features(std::vector<Feature> completed);
  // Sets the rules between features. Columns that they derive get no distance of their own.
  void set_rules(std::vector<std::string> texts);
  // `places`: of the class's rows among the training rows. `own`: the user's densities, if there are any.
  void fit_class(FittedClasses& fitted, std::size_t target, std::span<const std::size_t> places,
                 const OwnDensities& own) const;
  std::size_t checked_class(int target) const;  // throws Error unless there is such a class
  void check_question(const Matrix& factuals, const Options& options, std::span<const Target> targets) const;
  // The options with the fitted density in place of `automatic`, and no more changes than there are features.
  Options as_fitted(Options options) const;
  int target_class(Target target, std::size_t row, int predicted) const;
  std::vector<std::vector<int>> target_classes(const Options& options, std::span<const Target> targets,
                                               std::span<const int> predicted) const;
  // The answers of each row from all its target classes (answer_classes.cpp).
  struct Asked {
    const Options& options;
    const Deadline& deadline;
    Pool& pool;
    std::span<const std::vector<double>> scores;  // of every factual of the table
    std::span<const std::vector<int>> aims;       // its target classes
  };
  void answer_classes(const TableRows& rows, const Asked& asked,
                      std::span<std::vector<Explanation>> lists) const;
  void complete(std::vector<std::vector<Explanation>>& lists, std::span<const int> predicted,
                Pool& pool) const;
  // Of rows with these scores.
  std::vector<Prediction> predictions_of(std::span<const std::vector<double>> scores) const;
  Fitted fitted(std::size_t target) const {
    return {*model,
            space,
            writing,
            rules,
            features,
            classes->densities[target],
            classes->neighbour_grids[target],
            schema_features,
            schema_rules,
            classes->rows,
            autoencoder.get(),
            prepared.get()};
  }
};

}  // namespace scfe
