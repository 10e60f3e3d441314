// From a classifier, training rows and a wish to counterfactuals. Many rows at once is the normal case.
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

namespace scfe {

class ByteWriter;
class ByteReader;

struct Training {
  Matrix rows;                    // in the model's input units
  std::vector<int> labels;        // class of each row, 0 .. classes - 1
  std::vector<Feature> features;  // empty: continuous, named x0, x1, ...
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
  std::vector<Explanation> explain(const Matrix& factuals, const Options& options,
                                   std::span<const int> targets = {}) const;
  std::vector<Explanation> explain(const Matrix& factuals) const;

  const std::vector<Feature>& features() const;
  const Options& options() const;
  std::vector<int> predict(const Matrix& rows) const;
  // What was fitted for a class ("kde: bandwidth 0.31, 49 rows").
  std::string density_summary(int target) const;
  // The class's correctly classified training rows, in the work space: what LOF is measured against.
  Matrix class_rows(int target) const;
  // Factuals and answers in the work space, where distances are measured.
  Matrix to_work_space(const Matrix& rows) const;

  // All that was fitted, for a bundle (scfe/bundle.h): the loaded one gives the same bits.
  void save(ByteWriter& out) const;
  static Explainer load(std::shared_ptr<const Model> model, const Options& options, ByteReader& in);

 private:
  Explainer();
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scfe
