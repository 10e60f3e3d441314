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
std::vector<std::vector<float>> score_rows(const Model& model, const Matrix& rows, Pool& pool);
// Regression: class 1 is where the output is to go, class 0 everything else.
int winner(const std::vector<float>& scores, const std::optional<Reach>& reach = {});
double probability_of(const std::vector<float>& scores, int target);

}  // namespace scfe
