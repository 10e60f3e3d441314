// Counterfactuals from a classifier and training rows, for one row or many at once.
//
//     const Explainer explainer(model, training);
//     const Explanation e = explainer.explain_one(row);
//
// An explainer is immutable: copies share what was fitted, and many threads may use one concurrently.
// Densities, distances and stability of rows are in scfe/diagnostics.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "scfe/density_model.h"
#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "scfe/options.h"
#include "scfe/row_limits.h"

namespace scfe {

struct Training {
  Matrix rows;                    // in the model's input units, or with by_feature one value per feature
  std::vector<int> labels;        // class of each row, 0 .. classes - 1; may be empty with options.reach
  std::vector<Feature> features;  // a one-hot category takes one input per level; empty: all continuous
  std::vector<std::string> rules = {};  // between features (scfe/rules.h)
  // The rows hold one value per feature, a number or the place of a level. A category of thousands of levels
  // takes one number per row then, whatever the model's inputs are.
  bool by_feature = false;
  // The place of each row in the table that it is from, for errors; empty: that among the rows.
  std::vector<std::size_t> places = {};
  // With options.density own: one for all classes, or one for each class.
  std::vector<DensityModel> densities = {};
};

// The model's prediction for a row. With options.reach, class 1 means inside the range.
struct Prediction {
  int winner = 0;                   // the predicted class
  std::vector<double> probability;  // of each class
  double output = 0;                // of a model with one output
};

class Explainer {
 public:
  // Fits the density of each class on its correctly classified rows. Throws Error on bad input.
  Explainer(std::shared_ptr<const Model> model, const Training& training, const Options& options = {});

  // One explanation per row, in order. Threads, batch size and order of the rows do not change a single bit.
  // Of the options that take effect when fitting (`fit` in docs/options.md) density and reach must be those
  // of the fit (density may be none); the others are ignored. `targets`: the target class of each row; empty:
  // options.target, or the other of two classes. `limits`: further limits of each row; empty: none. `stop`:
  // once it is requested, rows end like at the time limit: timed_out, with the best answer so far.
  std::vector<Explanation> explain(const Matrix& factuals, const Options& options,
                                   std::span<const Target> targets = {},
                                   std::span<const RowLimits> limits = {}, std::stop_token stop = {}) const;
  // The same with the options that it was fitted with.
  std::vector<Explanation> explain(const Matrix& factuals) const;
  // A single row.
  Explanation explain_one(std::span<const double> factual, const Options& options) const;
  Explanation explain_one(std::span<const double> factual) const;
  // Up to options.answers per row, closest first; with options.path one for each number of changes that gets
  // closer than fewer changes. A list is never empty: if there is no answer, its one entry says so.
  std::vector<std::vector<Explanation>> explain_all(const Matrix& factuals, const Options& options,
                                                    std::span<const Target> targets = {},
                                                    std::span<const RowLimits> limits = {},
                                                    std::stop_token stop = {}) const;

  // The predicted class of each row, and the whole prediction; by `threads` as in the options, or those of
  // the fit.
  std::vector<int> predict(const Matrix& rows) const;
  std::vector<Prediction> predictions(const Matrix& rows, std::optional<int> threads = {}) const;
  // Of rows with one value per feature (Training::by_feature).
  std::vector<Prediction> predictions_of_values(const Matrix& values) const;

  std::size_t classes() const;
  const std::vector<Feature>& features() const;  // with defaults filled in
  const std::vector<std::string>& rules() const;
  const Options& options() const;

  // A copy with other limits for its questions; names, kinds and levels of the features must be the same.
  Explainer with_features(std::vector<Feature> features) const;
  // A copy with other rules between features (scfe/rules.h). Rules that were not there when it was fitted
  // count as limits of the question, which hints may lift.
  Explainer with_rules(std::vector<std::string> rules) const;
  // A copy with an autoencoder of the model's inputs, for the methods that use one (cem-pn, cem-pp).
  Explainer with_autoencoder(std::shared_ptr<const Model> autoencoder) const;

 private:
  friend class Diagnostics;
  friend struct ExplainerBytes;  // saves and loads it, for a bundle
  struct State;
  explicit Explainer(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace scfe
