// The path of `apg` on a small table, for plots: all iterates of the section step with the answer.
//
//     bench_trajectory MODEL.json TRAIN.csv ROWS.csv DENSITY NEIGHBOURS TAU  >  row,iteration,x1,x2,...
//
// Features are in [0, 1] and come before the column `label` (0 or 1) of TRAIN.csv; the target of each row of
// ROWS.csv is class 0. Iteration -2 is the density's anchor (knn: the gravity point), -1 the row itself. Uses
// the paper's step size rule.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "actionability/scaling.h"
#include "objective/objective.h"
#include "plausibility/catalogue.h"
#include "scfe/model.h"
#include "scfe/table.h"
#include "solver/apg/apg.h"
#include "tests/helper/parts.h"

namespace scfe {
namespace {

constexpr int target = 0;

struct Asked {
  DensityKind density;
  int neighbours;
  double tau;
};

Matrix numbers(const Table& table, std::size_t columns, const std::vector<std::size_t>& rows) {
  Matrix matrix(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) matrix[i][j] = std::stod(std::string(table.cell(rows[i], j)));
  return matrix;
}

// The rows of the target class, to which the density is fitted.
Matrix class_rows(const Table& train) {
  const std::size_t label = train.column("label");
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < train.rows(); ++i)
    if (train.cell(i, label) == std::to_string(target)) rows.push_back(i);
  return numbers(train, label, rows);
}

Matrix all_rows(const Table& table) {
  std::vector<std::size_t> rows(table.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  return numbers(table, table.columns.size(), rows);
}

void print(std::size_t row, int iteration, const std::vector<float>& x) {
  std::printf("%zu,%d", row, iteration);
  for (const float value : x) std::printf(",%.6g", static_cast<double>(value));
  std::printf("\n");
}

using Way = std::vector<std::vector<float>>;

std::vector<float> moved(std::vector<float> x, const Block& w) {
  for (std::size_t j = 0; j < x.size(); ++j) x[j] += w[j][0];
  return x;
}

// Prints the section step that ends in the answer; the others only search for the weight of validity.
void print_way(std::size_t row, const std::map<int, Way>& sections, const std::vector<float>& answer) {
  const Way* made = &sections.rbegin()->second;
  for (const auto& [section, way] : sections)
    if (way.back() == answer) made = &way;
  for (std::size_t t = 0; t < made->size(); ++t) print(row, static_cast<int>(t), (*made)[t]);
}

void trace(const Model& model, const Density& density, const Asked& asked, const Matrix& rows) {
  const std::size_t features = rows.cols;
  const Space space(no_scaling(features));
  TargetSpec spec;
  spec.target = target;
  const Validity validity(model.scores(), spec);
  const test::Parts parts(model, space, validity, density);
  Terms terms(parts.query, 1);
  Weights weights;
  weights.tau = asked.tau;
  Objective objective(terms, weights);
  objective.set_lanes(1);
  ApgOptions options;
  options.step = 0.01;
  options.rule = StepRule::paper;
  options.keep = Keep::last;
  Apg apg(features, 1, options);
  const auto prox = make_prox(SparsityKind::none, {});
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::vector<float> factual(rows[row].begin(), rows[row].end());
    std::vector<float> anchor(features);
    density.anchor(factual, anchor);
    print(row, -2, anchor);
    print(row, -1, factual);
    objective.set_factual(0, factual);
    Box box{Block(features, 1), Block(features, 1)};
    for (std::size_t j = 0; j < features; ++j) {
      box.lo[j][0] = -factual[j];
      box.hi[j][0] = 1 - factual[j];
    }
    std::map<int, Way> sections;
    const auto observe = [&](const ApgIteration& seen) {
      sections[seen.section[0]].push_back(moved(factual, seen.w));
    };
    apg.solve({objective, *prox, box, {}}, {observe, {}, {}});
    print_way(row, sections, moved(factual, apg.best().w()));
  }
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6) {
    std::fprintf(stderr, "bench_trajectory MODEL.json TRAIN.csv ROWS.csv DENSITY NEIGHBOURS TAU\n");
    return 2;
  }
  const Asked asked{value_named<DensityKind>(arguments[3]).value(), std::stoi(arguments[4]),
                    std::stod(arguments[5])};
  DensityOptions options;
  options.neighbours = asked.neighbours;
  const auto model = read_model_json(arguments[0]);
  const FittedDensity fitted = fit_density(asked.density, class_rows(read_csv(arguments[1])), options);
  trace(*model, *fitted.density, asked, all_rows(read_csv(arguments[2])));
  return 0;
}

}  // namespace
}  // namespace scfe

int main(int count, char** values) try {
  return scfe::run({values + 1, values + count});
} catch (const std::exception& error) {
  std::fprintf(stderr, "bench_trajectory: %s\n", error.what());
  return 2;
}
