// A row-major table of numbers in original units: training rows, factuals or answers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scfe {

struct Matrix {
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::vector<double> values;

  Matrix() = default;
  Matrix(std::size_t rows_, std::size_t cols_) : rows(rows_), cols(cols_), values(rows_ * cols_) {}

  std::span<double> operator[](std::size_t row) { return {values.data() + row * cols, cols}; }
  std::span<const double> operator[](std::size_t row) const { return {values.data() + row * cols, cols}; }
};

}  // namespace scfe
