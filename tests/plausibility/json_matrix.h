#pragma once

#include <nlohmann/json.hpp>

#include "scfe/matrix.h"

namespace scfe::test {

inline Matrix to_matrix(const nlohmann::json& values) {
  Matrix matrix(values.size(), values.at(0).size());
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t j = 0; j < matrix.cols; ++j) matrix[i][j] = values[i][j];
  return matrix;
}

}  // namespace scfe::test
