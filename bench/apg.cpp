// Times `apg` on a problem from bench/speed.py, which solves the same one in PyTorch:
//
//     bench_apg CASE.json THREADS RUNS      prints JSON: seconds of each run, the answers, gradients
//
// The case is given in the work space: layers, factuals, the density's parameters and the paper's settings.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/timed.h"
#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/none.h"
#include "scfe/error.h"
#include "solver/apg/rows.h"
#include "tests/helper/parts.h"

namespace scfe::bench {
namespace {

using nlohmann::json;

Matrix matrix(const json& rows) {
  Matrix matrix(rows.size(), rows.empty() ? 0 : rows[0].size());
  for (std::size_t i = 0; i < matrix.rows; ++i)
    for (std::size_t j = 0; j < matrix.cols; ++j) matrix.values[i * matrix.cols + j] = rows[i][j];
  return matrix;
}

std::shared_ptr<const Model> network(const json& layers) {
  std::vector<Layer> list;
  for (const json& layer : layers)
    list.push_back({matrix(layer["weight"]), layer["bias"], layer["activation"]});
  return dense_network(std::move(list));
}

std::shared_ptr<const Density> density_of(const json& given, std::size_t features) {
  const std::string kind = given["kind"];
  if (kind == "kde") {
    const std::vector<double> inverse(features, 1 / given["bandwidth"].get<double>());
    return std::make_shared<Kde>(matrix(given["points"]), inverse, given["log_norm"]);
  }
  if (kind == "gmm") {
    GaussianMixture mixture;
    mixture.full = false;
    mixture.weights = given["weights"].get<std::vector<double>>();
    mixture.means = matrix(given["means"]);
    mixture.covariances = matrix(given["variances"]);
    return std::make_shared<Gmm>(mixture, std::span<const double>{}, kernel::kernels());
  }
  if (kind == "knn") {
    const Gravity::Form form{given["neighbours"].get<std::size_t>(), false, false};
    return std::make_shared<Gravity>(matrix(given["points"]), form, std::vector<double>{});
  }
  return std::make_shared<NoDensity>(features);
}

std::vector<Row> rows_of(const json& given, const Density& density) {
  std::vector<Row> asked_rows;
  for (const json& row : given["factuals"]) {
    Row asked;
    asked.values = row.get<std::vector<double>>();
    asked.factual = asked.values;
    const std::vector<float> factual(asked.values.begin(), asked.values.end());
    for (const double u : asked.factual) {
      asked.lo.push_back(-u);
      asked.hi.push_back(1 - u);
    }
    asked.anchor.resize(factual.size());
    density.anchor(factual, asked.anchor);
    asked_rows.push_back(std::move(asked));
  }
  return asked_rows;
}

json run(const json& given, std::size_t threads, int runs) {
  const auto model = network(given["layers"]);
  const std::size_t features = model->features();
  const auto density = density_of(given["density"], features);
  const Validity validity(1, {.target = given["target"], .margin = 0, .probability = {}});
  const std::vector<Feature> numbers(features);
  const Space space(numbers, Scaling{std::vector<double>(features, 0.0), std::vector<double>(features, 1.0)},
                    std::vector<double>(features, 1.0));
  const test::Parts parts(*model, space, validity, *density, threads);
  Weights weights;
  weights.proximity = SquaredL2(std::vector<double>(features, 1.0));
  weights.tau = given["density"]["kind"] == "none" ? 0.0 : given["tau"].get<double>();
  const auto prox =
      make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = given["max_changes"], .group = {}});
  const ApgOptions options{.iterations = given["iterations"],
                           .sections = given["sections"],
                           .gamma = given["gamma"],
                           .step = given["step"],
                           .rule = StepRule::paper,
                           .keep = Keep::last,
                           .tolerance = 0};
  const std::vector<Row> asked_rows = rows_of(given, *density);
  std::vector<ApgFound> found(asked_rows.size());
  json result;
  result["seconds"] = timed(runs, [&] {
    apg_rows(parts.query, {.weights = weights, .prox = *prox, .options = options, .projects = false},
             asked_rows, found);
  });
  for (const ApgFound& answer : found) {
    result["valid"].push_back(answer.valid);
    result["w"].push_back(answer.w);
    result["gradients"].push_back(answer.gradients);
  }
  return result;
}

}  // namespace
}  // namespace scfe::bench

int main(int count, char** arguments) {
  if (count != 4) {
    std::fputs("usage: bench_apg CASE.json THREADS RUNS\n", stderr);
    return 2;
  }
  try {
    std::ifstream file(arguments[1]);
    const auto given = nlohmann::json::parse(file);
    std::cout << scfe::bench::run(given, std::stoul(arguments[2]), std::stoi(arguments[3])) << '\n';
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_apg: %s\n", error.what());
    return 1;
  }
}
