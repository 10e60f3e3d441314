#include "explainer/scoring.h"

#include <algorithm>
#include <cmath>

#include "scfe/error.h"
#include "support/text.h"

namespace scfe {
namespace {

constexpr std::size_t block_rows = 64;

}  // namespace

void check_rows(const Matrix& rows, std::size_t columns, const std::string& field) {
  if (rows.cols != columns)
    throw Error(field + ": columns", std::to_string(columns) + " (features of the model)",
                std::to_string(rows.cols));
  if (rows.values.size() != rows.rows * rows.cols)
    throw Error(field + ": values", std::to_string(rows.rows * rows.cols) + " (rows times columns)",
                std::to_string(rows.values.size()));
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j)
      if (!std::isfinite(rows[i][j]))
        throw Error(field + ": row " + std::to_string(i) + ", column " + std::to_string(j), "a finite number",
                    number(rows[i][j]));
}

Matrix work_rows(const Space& space, const Matrix& rows, const std::string& field) {
  Matrix work(rows.rows, space.columns());
  for (std::size_t i = 0; i < rows.rows; ++i) {
    try {
      space.to_columns(space.to_values(rows[i]), work[i]);
    } catch (const Error& error) {
      throw Error(field + ": row " + std::to_string(i) + ": " + error.what());
    }
  }
  return work;
}

std::vector<std::vector<double>> score_rows(const Model& model, const Matrix& rows, Pool& pool) {
  std::vector<std::vector<double>> scores(rows.rows);
  const std::size_t pieces = (rows.rows + block_rows - 1) / block_rows;
  pool.each(pieces, [&](std::size_t piece) {
    const std::size_t first = piece * block_rows, count = std::min(block_rows, rows.rows - first);
    if (model.in_double()) {
      const auto tape = model.tape(1);
      for (std::size_t i = first; i < first + count; ++i) {
        scores[i].resize(model.scores());
        model.forward_one(rows[i], scores[i], *tape);
      }
      return;
    }
    Block x(model.features(), count), z(model.scores(), count);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t j = 0; j < rows.cols; ++j) x[j][lane] = static_cast<float>(rows[first + lane][j]);
    const auto tape = model.tape(count);
    model.forward(x, z, *tape);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (std::size_t k = 0; k < model.scores(); ++k)
        scores[first + lane].push_back(static_cast<double>(z[k][lane]));
  });
  return scores;
}

}  // namespace scfe
