// Rows of a matrix through the model and into the work space.
#pragma once

#include <string>
#include <vector>

#include "actionability/space.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "support/parallel.h"
#include "validity/decision.h"

namespace scfe {

// Error naming the field, the row and the column unless every number is finite and there are so many columns.
void check_rows(const Matrix& rows, std::size_t columns, const std::string& field);
// Rows of the model's inputs in the work space; an input that no feature can hold is an Error naming the row.
Matrix work_rows(const Space& space, const Matrix& rows, const std::string& field);
// Scores of every row, [row][score], in the precision the model runs in.
std::vector<std::vector<double>> score_rows(const Model& model, const Matrix& rows, Pool& pool);

}  // namespace scfe
