// The paper's algorithm for scripts that compare with other implementations: one question on stdin, one
// answer on stdout. It takes the whole way of a question with `--solver apg` in paper mode (method/find.h),
// from the options to rows as they would be written, so that whatever is done to the iteration's result
// shows.
//
// clang-format off
//     in:  {"layers": [...] or "model": FILE, "target": 1, "factuals": [[...]] in [0, 1],
//           "density": {"kind": "kde", "points": [[...]], "bandwidth": .1, "log_norm": 3}
//                   or {"kind": "gmm", "weights": [...], "means": [[...]], "variances": [[...]]}
//                   or {"kind": "knn", "points": [[...]], "neighbours": 5} or {"kind": "none"},
//           "options": {"sparsity": "l1", "beta": 0.1, "tau": 0.01, ...}}            as in docs/options.md
//     out: {"valid": [...], "x": [[...]]}
// clang-format on
#include <iostream>
#include <nlohmann/json.hpp>

#include "method/find.h"
#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/none.h"
#include "scfe/bundle.h"
#include "tests/helper/parts.h"

namespace scfe::test {
namespace {

using nlohmann::json;

Matrix matrix(const json& rows) {
  Matrix m(rows.size(), rows.at(0).size());
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.cols; ++j) m[i][j] = rows[i][j];
  return m;
}

std::shared_ptr<const Model> model_of(const json& asked) {
  if (asked.contains("model")) return open_model(read_model_file(asked["model"]));
  std::vector<Layer> layers;
  for (const json& layer : asked["layers"])
    layers.push_back({matrix(layer["weight"]), layer["bias"], layer["activation"]});
  return dense_network(std::move(layers));
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
  if (kind == "knn")
    return std::make_shared<Gravity>(matrix(given["points"]), Gravity::Form{given["neighbours"]},
                                     std::vector<double>{});
  return std::make_shared<NoDensity>(features);
}

std::vector<Row> rows_of(const json& factuals, const Density& density, double required) {
  std::vector<Row> rows;
  for (const json& factual : factuals) {
    Row& row = rows.emplace_back();
    row.values = row.factual = factual.get<std::vector<double>>();
    for (const double u : row.factual) {
      row.lo.push_back(-u);
      row.hi.push_back(1 - u);
    }
    row.anchor.resize(row.factual.size());
    density.anchor(std::vector<float>(row.factual.begin(), row.factual.end()), row.anchor);
    row.required = required;
  }
  return rows;
}

json answer(const json& asked) {
  const auto model = model_of(asked);
  const std::size_t features = model->features();
  const auto density = density_of(asked["density"], features);
  const Validity validity(model->scores(), {.target = asked["target"], .margin = 0, .probability = {}});
  const std::vector<Feature> numbers(features);
  const Space space(numbers, Scaling{std::vector<double>(features, 0.0), std::vector<double>(features, 1.0)},
                    std::vector<double>(features, 1.0));
  Parts parts(*model, space, validity, *density);
  parts.writing.step.assign(features, 0.0);
  parts.features = numbers;
  Options& options = parts.query.options;
  options.solver = Solver::apg;
  for (const auto& [name, value] : asked["options"].items())
    set_option(options, name, value.is_string() ? value.get<std::string>() : value.dump());
  if (asked["density"]["kind"] == "none") options.density = DensityKind::none;
  const std::vector<Row> rows = rows_of(asked["factuals"], *density, 0);
  json result;
  for (const Found& found : find(parts.query, rows)) {
    result["valid"].push_back(found.status == Status::valid);
    result["x"].push_back(found.values);
  }
  return result;
}

}  // namespace
}  // namespace scfe::test

int main() {
  try {
    std::cout << scfe::test::answer(nlohmann::json::parse(std::cin)) << '\n';
  } catch (const std::exception& error) {
    std::cerr << "run_paper: " << error.what() << '\n';
    return 1;
  }
}
