// The leaves of a decision tree that decide for a class, as boxes over the model's inputs.
#pragma once

#include <vector>

#include "model/trees/ensemble.h"

namespace scfe {

struct LeafBox {
  std::vector<double> above, up_to;  // above < x <= up_to
};
// Of an ensemble of one tree with thresholds alone.
bool is_single_tree(const Ensemble& ensemble);
std::vector<LeafBox> leaves_of_class(const Ensemble& tree, int target);

}  // namespace scfe
