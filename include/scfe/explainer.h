// From a classifier, training rows and a wish to counterfactuals. Many rows at once is the normal case.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scfe/explanation.h"
#include "scfe/feature.h"
#include "scfe/matrix.h"
#include "scfe/metrics.h"
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

// How typical a row is of a class.
struct Typicality {
  double log_density = 0;
  double quantile = 1;  // share of the class's held-out rows that are less typical, or as typical
};

// What must stay for the decision to stay.
struct Pertinent {
  int predicted = 0;
  std::vector<std::size_t> features;
  double share = 0;       // of background rows that get the same decision once they take these values
  bool smallest = false;  // proven on the rows that choose: every smaller set was looked at
};

// Whether a row keeps its decision wherever its numbers go within options.robust of their ranges.
struct Stability {
  bool holds = false;
  std::string proof;  // "exact", "bounded" or "sampled"
  double margin = 0;  // the least of all inputs there, or a lower bound of it
};

class Explainer {
 public:
  // Fits the density of each class on its correctly classified rows. Throws Error on bad input.
  Explainer(std::shared_ptr<const Model> model, const Training& training, const Options& options = {});
  ~Explainer();
  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;

  // One explanation per row, in order; the same bits whatever the threads, the batch or the order.
  // `targets` gives each row its own wished class; empty: options.target, or the other of two classes.
  // `limits` gives each row limits of its own; empty: none.
  std::vector<Explanation> explain(const Matrix& factuals, const Options& options,
                                   std::span<const int> targets = {},
                                   std::span<const RowLimits> limits = {}) const;
  std::vector<Explanation> explain(const Matrix& factuals) const;
  // All of options.answers, closest first, or with options.path one for each number of changes that gets
  // closer than the one before. Never empty: where there is none, the one entry says so.
  std::vector<std::vector<Explanation>> explain_all(const Matrix& factuals, const Options& options,
                                                    std::span<const int> targets = {},
                                                    std::span<const RowLimits> limits = {}) const;

  const std::vector<Feature>& features() const;
  const Options& options() const;
  std::vector<int> predict(const Matrix& rows) const;
  // Whether answers may come with a proof: of tree ensembles and linear scores, under a limit m and no floor.
  bool can_prove(const Options& options) const;
  // What was fitted for a class ("kde: bandwidth 0.31, 49 rows").
  std::string density_summary(int target) const;
  // The class's correctly classified training rows, in the work space: what LOF is measured against.
  Matrix class_rows(int target) const;
  // The same rows, one feature: numbers in original units, or the places of levels.
  std::vector<double> class_values(int target, std::size_t feature) const;
  // Factuals and answers in the work space, where distances are measured: one column for a number, one per
  // level for a category.
  Matrix to_work_space(const Matrix& rows) const;
  // For each column of the work space the number of its category, -1 for numbers; empty: no categories.
  std::vector<int> groups() const;

  // The smallest set of features whose present values alone keep the decision for at least this share of the
  // background: training rows of all classes; 200 to choose by, up to 2000 others for the share. Where there
  // are too many sets to look at, a small one.
  std::vector<Pertinent> pertinent(const Matrix& factuals, double share = 0.95) const;

  // Of rows that somebody wrote, for the class (or the reach) that each was wished to have.
  std::vector<Stability> stability(const Matrix& answers, const Options& options,
                                   std::span<const int> targets) const;

  bool has_density(int target) const;
  // Of an answer; the factual says where kNN's gravity lies.
  Typicality typicality(std::span<const double> factual, std::span<const double> answer, int target) const;
  // The log-density that this share of the class's held-out rows does not reach.
  double floor(int target, double share) const;

  // Between two rows, in the work space; a number counts as changed if it moved by more than half its step.
  Change change(std::span<const double> from, std::span<const double> to) const;

  // The same with other limits, those of a question; names, kinds and levels of the features stay.
  Explainer with_features(std::vector<Feature> features) const;
  // The same with other rules between features (scfe/rules.h); those beyond the ones fitted are the
  // question's.
  Explainer with_rules(std::vector<std::string> rules) const;
  // The same with an autoencoder of the model's inputs, for the methods that know one (cem-pn, cem-pp).
  Explainer with_autoencoder(std::shared_ptr<const Model> autoencoder) const;
  const std::vector<std::string>& rules() const;
  // Whether a rule derives the feature from others: it is no change of its own.
  bool is_derived(std::size_t feature) const;
  // The rules that an answer breaks, for people; empty: none.
  std::vector<std::string> broken_rules(std::span<const double> factual,
                                        std::span<const double> answer) const;

 private:
  friend struct ExplainerBytes;  // saves and loads it, for a bundle
  Explainer();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scfe
