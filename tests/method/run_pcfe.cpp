// PCFE for scripts that compare with other solvers: one question on stdin, one answer on stdout.
//
// clang-format off
//     in:  {"rows": [[...]], "weights": [[...]], "bias": [...], "target": 1, "factual": [...],
//           "required": 0.001, "norm": "l1", "max_components": 3}      rows of the target class; all in [0, 1]
//     out: {"pi": [...], "mu": [[...]], "sigma": [[[...]]], "cost": 0.12, "w": [...]}     without "w": no answer
// clang-format on
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "method/pcfe_program.h"
#include "plausibility/mixture/mixture_fit.h"

namespace {

using nlohmann::json;
using scfe::Matrix;

Matrix matrix(const json& rows) {
  Matrix m(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.cols; ++j) m[i][j] = rows[i][j];
  return m;
}

json lists(const Matrix& m, std::size_t first, std::size_t count) {
  json rows = json::array();
  for (std::size_t i = first; i < first + count; ++i)
    rows.push_back(std::vector<double>(m[i].begin(), m[i].end()));
  return rows;
}

}  // namespace

int main() {
  const json asked = json::parse(std::cin);
  const Matrix rows = matrix(asked["rows"]);
  const auto model =
      scfe::dense_network({{matrix(asked["weights"]), asked["bias"].get<std::vector<double>>(), "none"}});
  const scfe::Space space(
      scfe::Scaling{std::vector<double>(rows.cols, 0.0), std::vector<double>(rows.cols, 1.0)});
  const scfe::Pieces pieces(*model, space, asked["target"]);
  scfe::DensityOptions how;
  how.max_components = asked["max_components"];
  const scfe::GaussianMixture mixture = scfe::fit_mixture(rows, true, how).mixture;
  const auto factual = asked["factual"].get<std::vector<double>>();
  std::vector<double> lo, hi;
  for (const double x : factual) {
    lo.push_back(-x);
    hi.push_back(1 - x);
  }
  const std::vector<double> weight(rows.cols, 1.0);
  json answer{{"pi", mixture.weights}, {"mu", lists(mixture.means, 0, mixture.components())}};
  double best = INFINITY;
  for (std::size_t k = 0; k < mixture.components(); ++k)
    answer["sigma"].push_back(lists(mixture.covariances, k * rows.cols, rows.cols));
  for (const scfe::Ellipsoid& ellipsoid : scfe::plausible_ellipsoids(mixture, rows)) {
    const scfe::PcfeAnswer found = scfe::solve_pcfe_program(
        {factual, lo, hi, weight, ellipsoid, &pieces, asked["required"], asked["norm"] == "l1"});
    if (found.w.empty() || found.cost >= best) continue;
    best = found.cost;
    answer["cost"] = best;
    answer["w"] = found.w;
  }
  std::cout << answer << "\n";
  return 0;
}
