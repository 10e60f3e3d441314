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

void check_values(std::span<const Feature> features, const Matrix& values, const std::string& field) {
  check_rows(values, features.size(), field);
  for (std::size_t i = 0; i < values.rows; ++i)
    for (std::size_t f = 0; f < features.size(); ++f) {
      const double value = values[i][f];
      if (!features[f].is_category()) continue;
      const auto levels = static_cast<double>(features[f].level_count());
      if (!(value >= 0 && value < levels && value == std::floor(value)))
        throw Error(field + ": row " + std::to_string(i) + ": feature '" + features[f].name + "'",
                    "a level from 0 to " + number(levels - 1), number(value));
    }
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

namespace {

// Scores of the rows first .. first + scores.size() - 1.
void score_block(const Model& model, const Matrix& rows, std::size_t first,
                 std::span<std::vector<double>> scores) {
  const std::size_t count = scores.size();
  if (model.in_double()) {
    const auto tape = model.tape(1);
    for (std::size_t i = 0; i < count; ++i) {
      scores[i].resize(model.scores());
      model.forward_one(rows[first + i], scores[i], *tape);
    }
    return;
  }
  Block x(model.features(), count), z(model.scores(), count);
  for (std::size_t lane = 0; lane < count; ++lane)
    for (std::size_t j = 0; j < rows.cols; ++j) x[j][lane] = static_cast<float>(rows[first + lane][j]);
  const auto tape = model.tape(count);
  model.forward(x, z, *tape);
  for (std::size_t lane = 0; lane < count; ++lane)
    for (std::size_t k = 0; k < model.scores(); ++k) scores[lane].push_back(static_cast<double>(z[k][lane]));
}

template <class Score>
std::vector<std::vector<double>> score_blocks(std::size_t rows, Pool& pool, Score score) {
  std::vector<std::vector<double>> scores(rows);
  pool.each((rows + block_rows - 1) / block_rows, [&](std::size_t piece) {
    const std::size_t first = piece * block_rows;
    score(first, std::span(scores).subspan(first, std::min(block_rows, rows - first)));
  });
  return scores;
}

}  // namespace

std::vector<std::vector<double>> score_rows(const Model& model, const Matrix& rows, Pool& pool) {
  return score_blocks(rows.rows, pool, [&](std::size_t first, std::span<std::vector<double>> scores) {
    score_block(model, rows, first, scores);
  });
}

std::vector<std::vector<double>> score_values(const Model& model, const Space& space, const Matrix& values,
                                              Pool& pool) {
  return score_blocks(values.rows, pool, [&](std::size_t first, std::span<std::vector<double>> scores) {
    Matrix inputs(scores.size(), model.features());
    for (std::size_t i = 0; i < inputs.rows; ++i) space.to_inputs(values[first + i], inputs[i]);
    score_block(model, inputs, 0, scores);
  });
}

}  // namespace scfe
