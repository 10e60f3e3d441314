// The leaves of a decision tree that predict a class, as boxes over the model's inputs.
#pragma once

#include <vector>

#include "model/trees/ensemble.h"

namespace scfe {

struct LeafBox {
  std::vector<double> above, up_to;  // above < x <= up_to
};
// True if the ensemble is one tree whose splits are all thresholds.
bool is_single_tree(const Ensemble& ensemble);
std::vector<LeafBox> leaves_of_class(const Ensemble& tree, int target);

}  // namespace scfe
