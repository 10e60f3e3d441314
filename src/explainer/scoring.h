// Checks the rows of a matrix, scores them with the model, and maps them to the work space.
#pragma once

#include <string>
#include <vector>

#include "actionability/space.h"
#include "scfe/matrix.h"
#include "scfe/model.h"
#include "support/parallel.h"
#include "validity/decision.h"

namespace scfe {

// Throws Error, naming field, row and column, unless all numbers are finite and the width is `columns`.
void check_rows(const Matrix& rows, std::size_t columns, const std::string& field);
// Maps rows of model inputs to the work space. Throws Error, naming the row, if no feature has such an input.
Matrix work_rows(const Space& space, const Matrix& rows, const std::string& field);
// The scores of every row, [row][score], in the precision of the model.
std::vector<std::vector<double>> score_rows(const Model& model, const Matrix& rows, Pool& pool);
// The same for rows of values, one per feature; inputs are made for a few rows at a time.
std::vector<std::vector<double>> score_values(const Model& model, const Space& space, const Matrix& values,
                                              Pool& pool);
// Throws Error, naming field, row and feature, unless the values are numbers or places of levels.
void check_values(std::span<const Feature> features, const Matrix& values, const std::string& field);

}  // namespace scfe
