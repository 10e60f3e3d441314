// The distance that the options ask for: its weights, and the space that measures with them.
//
//     schema   weight_f, and the schema's distances of levels
//     mad      weight_f / MAD_f for numbers, in the work space; levels as by the schema
//     none     1, and all levels equally far
//
// Gower's distance measures numbers by their range over the training rows, whatever the scale of the work
// space, and a change of level is 1 unless the schema gives distances.
#pragma once

#include <span>
#include <vector>

#include "actionability/space.h"
#include "scfe/options.h"

namespace scfe {

// What the training rows add to the weight of each feature. Categories get a number that nobody reads.
std::vector<double> weights_of_rows(const Options& options, const Scaling& scaling, const Matrix& values);

// `weight` is that of each model input, made of weights_of_rows().
Space make_space(const Options& options, std::span<const Feature> features, const Scaling& scaling,
                 std::span<const double> weight);

}  // namespace scfe
