// Models, rows and densities of the public implementation, if they are installed. The work space is its
// min-max space, and its densities are defined in its z space.
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
  Scaling scaling;                     // z = offset + scale u
  Matrix train, test;                  // z rows
  std::vector<int> train_labels, test_labels;

  Matrix class_rows(int target) const;  // in the work space, in file order
};
// set: wine, housing or wdbc; kind: mlp or linear
Reference load_reference(const std::string& set, const std::string& kind);

// The densities of the public code: kde and gmm with its parameters, and knn with k = 3, where a row counts
// as its own neighbour.
std::shared_ptr<const Density> reference_density(const Reference& reference, const std::string& set,
                                                 const std::string& kind, const std::string& density,
                                                 int target);

}  // namespace scfe::test
