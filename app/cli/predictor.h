// The model by itself: class and probabilities of rows in its own units, in the precision it runs in.
#pragma once

#include <memory>
#include <vector>

#include "scfe/bundle.h"

namespace scfe::cli {

struct Prediction {
  int winner = 0;
  std::vector<double> probability;  // of each class
};

class Predictor {
 public:
  explicit Predictor(const ModelFile& file) : model_(open_model(file)) {}
  const Model& model() const { return *model_; }
  std::vector<Prediction> operator()(const Matrix& rows) const;

 private:
  std::shared_ptr<const Model> model_;
};

}  // namespace scfe::cli
