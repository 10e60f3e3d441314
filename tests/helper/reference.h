// Models, rows and densities of the public implementation, where they are at hand, in our terms: the work
// space is its min-max space, the densities live in its z space.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actionability/scaling.h"
#include "plausibility/fit.h"
#include "scfe/matrix.h"
#include "scfe/model.h"

namespace scfe::test {

struct Reference {
  std::shared_ptr<const Model> model;  // on z rows
  Scaling scaling;                     // z = offset + range u
  Matrix train, test;                  // z rows
  std::vector<int> train_labels, test_labels;

  Matrix class_rows(int target) const;  // work space, in order
};
// set: wine, housing, wdbc; kind: mlp, linear
Reference load_reference(const std::string& set, const std::string& kind);

// The public code's own densities: kde and gmm with its parameters, knn with k = 3, which counts a row among
// its own neighbours.
std::shared_ptr<const Density> reference_density(const Reference& reference, const std::string& set,
                                                 const std::string& kind, const std::string& density,
                                                 int target);

}  // namespace scfe::test
