// The features of a fit: checked, named, and completed from the training rows.
#pragma once

#include <vector>

#include "scfe/feature.h"
#include "scfe/matrix.h"

namespace scfe {

// Fills in what the user did not specify (names, ranges, steps) from the training rows. Throws if the
// features are inconsistent, or do not have as many inputs as the matrix has columns.
std::vector<Feature> complete_features(std::vector<Feature> features, const Matrix& inputs);
// The same for a model with so many inputs, from rows of values: one column per feature.
std::vector<Feature> complete_features_of_values(std::vector<Feature> features, std::size_t inputs,
                                                 const Matrix& values);
// Names and checks features alone; without any, all inputs are continuous.
std::vector<Feature> named_features(std::vector<Feature> features, std::size_t inputs);

}  // namespace scfe
