// Rows of a matrix through the model and into the work space.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "actionability/space.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "support/parallel.h"
#include "validity/validity.h"

namespace scfe {

// Error naming the field, the row and the column unless every number is finite and there are so many columns.
void check_rows(const Matrix& rows, std::size_t columns, const std::string& field);
// Rows of the model's inputs in the work space; an input that no feature can hold is an Error naming the row.
Matrix work_rows(const Space& space, const Matrix& rows, const std::string& field);
// Scores of every row, [row][score], in the precision the model runs in.
std::vector<std::vector<double>> score_rows(const Model& model, const Matrix& rows, Pool& pool);
// Regression: class 1 is where the output is to go, class 0 everything else; the reach as its score has it.
int winner(const std::vector<double>& scores, const std::optional<Reach>& reach = {});
std::vector<double> probabilities_of(const std::vector<double>& scores);  // of each class

// options.reach is in units of what the model itself returns; solvers work on its score. Error where a
// sigmoid's output cannot get there, or always is.
std::optional<Reach> score_reach(const Model& model, const std::string& text);
// What the model itself returns, of its one score.
double output_of(const Model& model, double score);

}  // namespace scfe
