// The model by itself: class and probabilities of rows in its own units, in the precision it runs in.
#pragma once

#include <memory>
#include <vector>

#include "explainer/scoring.h"
#include "scfe/bundle.h"

namespace scfe::cli {

struct Prediction {
  int winner = 0;
  std::vector<double> probability;  // of each class
  double output = 0;                // of a model with one output
};

class Predictor {
 public:
  // With a range to reach, class 1 is inside of it.
  Predictor(const ModelFile& file, const Options& options)
      : model_(open_model(file, options.precision)), reach_(score_reach(*model_, options.reach)) {}
  const Model& model() const { return *model_; }
  std::vector<Prediction> operator()(const Matrix& rows) const;

 private:
  std::shared_ptr<const Model> model_;
  std::optional<Reach> reach_;
};

}  // namespace scfe::cli
