#include "explainer/scoring.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

int winner(const std::vector<double>& scores, const std::optional<Reach>& reach) {
  if (reach) return reach->holds(scores[0]) ? 1 : 0;
  if (scores.size() == 1) return scores[0] > 0 ? 1 : 0;
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

std::optional<Reach> score_reach(const Model& model, const std::string& text) {
  std::optional<Reach> reach = parse_reach(text);
  if (!reach || model.output() != Model::Output::sigmoid) return reach;
  const auto logit = [](double p) { return std::log(p / (1 - p)); };
  const bool inside = (!reach->lo || *reach->lo < 1) && (!reach->hi || *reach->hi > 0);
  if (reach->lo && *reach->lo <= 0) reach->lo.reset();
  if (reach->hi && *reach->hi >= 1) reach->hi.reset();
  if (!inside || (!reach->lo && !reach->hi))
    throw Error("reach", "some but not all of 0 to 1, where the model's output (a sigmoid) lies",
                "'" + text + "'");
  if (reach->lo) reach->lo = logit(*reach->lo);
  if (reach->hi) reach->hi = logit(*reach->hi);
  return reach;
}

double output_of(const Model& model, double score) {
  return model.output() == Model::Output::sigmoid ? 1 / (1 + std::exp(-score)) : score;
}

std::vector<double> probabilities_of(const std::vector<double>& scores) {
  if (scores.size() == 1) return {1 / (1 + std::exp(scores[0])), 1 / (1 + std::exp(-scores[0]))};
  const double peak = *std::max_element(scores.begin(), scores.end());
  std::vector<double> shares;
  for (const double score : scores) shares.push_back(std::exp(score - peak));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace scfe
