// What scores mean: the class that wins, its probability, and the output of a regression model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scfe/model.h"
#include "scfe/options.h"
#include "validity/validity.h"

namespace scfe {

// The class of a row. With a range to reach: 1 if the output lies in it, else 0.
int winner(const std::vector<double>& scores, const std::optional<Reach>& reach = {});
std::vector<double> probabilities_of(const std::vector<double>& scores);  // of each class

// options.reach is in units of what the model returns; solvers work on its score. Error where the output of a
// sigmoid cannot get there, or always is there.
std::optional<Reach> score_reach(const Model& model, const std::string& text);
// What the model returns, from its one score.
double output_of(const Model& model, double score);

TargetSpec target_spec(const Options& options, const Model& model, int target);

}  // namespace scfe
