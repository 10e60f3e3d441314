// From a classifier and training rows to counterfactuals. Many rows at once is the normal case.
//
//     const Explainer explainer(model, training);
//     const Explanation e = explainer.explain_one(row);
//
// An explainer never changes: copies share what was fitted, and any number of threads may ask one. What it
// knows of its classes and of single rows is in scfe/diagnostics.h.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "scfe/options.h"
#include "scfe/row_limits.h"

namespace scfe {

struct Training {
  Matrix rows;                          // in the model's input units
  std::vector<int> labels;              // class of each row, 0 .. classes - 1; none needed with options.reach
  std::vector<Feature> features;        // a one-hot category takes one input per level; empty: all continuous
  std::vector<std::string> rules = {};  // between features (scfe/rules.h)
};

// What the model says of a row. With options.reach, class 1 is inside of the range.
struct Prediction {
  int winner = 0;                   // its class
  std::vector<double> probability;  // of each class
  double output = 0;                // of a model with one output
};

class Explainer {
 public:
  // Fits the density of each class on its correctly classified rows. Throws Error on bad input.
  Explainer(std::shared_ptr<const Model> model, const Training& training, const Options& options = {});

  // One explanation per row, in order; the same bits whatever the threads, the batch or the order.
  // `targets` gives each row its own wished class; empty: options.target, or the other of two classes.
  // `limits` gives each row limits of its own; empty: none.
  std::vector<Explanation> explain(const Matrix& factuals, const Options& options,
                                   std::span<const int> targets = {},
                                   std::span<const RowLimits> limits = {}) const;
  // With the options that it was fitted with.
  std::vector<Explanation> explain(const Matrix& factuals) const;
  // A single row.
  Explanation explain_one(std::span<const double> factual, const Options& options) const;
  Explanation explain_one(std::span<const double> factual) const;
  // All of options.answers, closest first, or with options.path one for each number of changes that gets
  // closer than the one before. Never empty: where there is none, the one entry says so.
  std::vector<std::vector<Explanation>> explain_all(const Matrix& factuals, const Options& options,
                                                    std::span<const int> targets = {},
                                                    std::span<const RowLimits> limits = {}) const;

  // The class of each row, and all that the model says of it.
  std::vector<int> predict(const Matrix& rows) const;
  std::vector<Prediction> predictions(const Matrix& rows) const;

  std::size_t classes() const;
  const std::vector<Feature>& features() const;  // with all that was left open filled in
  const std::vector<std::string>& rules() const;
  const Options& options() const;

  // The same with other limits, those of a question; names, kinds and levels of the features stay.
  Explainer with_features(std::vector<Feature> features) const;
  // The same with other rules between features (scfe/rules.h); those beyond the ones fitted are the
  // question's.
  Explainer with_rules(std::vector<std::string> rules) const;
  // The same with an autoencoder of the model's inputs, for the methods that know one (cem-pn, cem-pp).
  Explainer with_autoencoder(std::shared_ptr<const Model> autoencoder) const;

 private:
  friend class Diagnostics;
  friend struct ExplainerBytes;  // saves and loads it, for a bundle
  struct State;
  explicit Explainer(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace scfe
