#include "tests/helper/reference.h"

#include <fstream>
#include <sstream>

#include "plausibility/kde/kde.h"
#include "plausibility/knn/knn.h"
#include "plausibility/mixture/gaussian.h"
#include "plausibility/mixture/gmm.h"
#include "plausibility/none.h"
#include "tests/helper/shared_files.h"

namespace scfe::test {
namespace {

void read_rows(const std::filesystem::path& path, Matrix& rows, std::vector<int>& labels) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream cells(line);
    std::vector<double> values;
    while (std::getline(cells, cell, ',')) values.push_back(std::stod(cell));
    labels.push_back(static_cast<int>(values.back()));
    values.pop_back();
    rows.cols = values.size();
    rows.values.insert(rows.values.end(), values.begin(), values.end());
    ++rows.rows;
  }
}

nlohmann::json read_parameters(const std::string& set, const std::string& kind) {
  return read_json(shared_dir() / "reference" / (set + "_" + kind + ".json"));
}

}  // namespace

Matrix Reference::class_rows(int target) const {
  Matrix rows(0, train.cols);
  for (std::size_t i = 0; i < train.rows; ++i) {
    if (train_labels[i] != target) continue;
    ++rows.rows;
    for (std::size_t j = 0; j < train.cols; ++j) rows.values.push_back(scaling.to_work(j, train[i][j]));
  }
  return rows;
}

Reference load_reference(const std::string& set, const std::string& kind) {
  const nlohmann::json parameters = read_parameters(set, kind);
  Reference reference;
  std::vector<Layer> layers;
  for (std::size_t k = 0; const auto& layer : parameters["model"]["layers"]) {
    const auto weight = layer["W"].get<std::vector<std::vector<double>>>();
    Matrix matrix(weight.size(), weight.front().size());
    for (std::size_t o = 0; o < weight.size(); ++o)
      std::copy(weight[o].begin(), weight[o].end(), matrix[o].begin());
    const bool linear = parameters["model"]["type"] == "linear";
    layers.push_back({matrix, layer["b"].get<std::vector<double>>(),
                      linear ? "none" : parameters["model"]["activations"][k].get<std::string>()});
    ++k;
  }
  reference.model = dense_network(std::move(layers));
  const auto mins = parameters["mins"].get<std::vector<double>>(),
             maxs = parameters["maxs"].get<std::vector<double>>();
  std::vector<double> ranges;
  for (std::size_t j = 0; j < mins.size(); ++j) ranges.push_back(maxs[j] - mins[j]);
  reference.scaling = Scaling(mins, ranges);
  const std::string space = kind == "linear" ? "_pca8_" : "_z_";
  const auto folder = shared_dir() / "reference";
  read_rows(folder / (set + space + "train.csv"), reference.train, reference.train_labels);
  read_rows(folder / (set + space + "test.csv"), reference.test, reference.test_labels);
  return reference;
}

std::shared_ptr<const Density> reference_density(const Reference& reference, const std::string& set,
                                                 const std::string& kind, const std::string& density,
                                                 int target) {
  const nlohmann::json parameters = read_parameters(set, kind);
  const Matrix rows = reference.class_rows(target);
  const std::vector<double>& range = reference.scaling.range;
  if (density == "kde") {
    const auto& kde = parameters["kde"][static_cast<std::size_t>(target)];
    std::vector<double> inverse_bandwidth;
    for (const double r : range) inverse_bandwidth.push_back(r / kde["bandwidth"].get<double>());
    return std::make_shared<Kde>(rows, inverse_bandwidth, kde["log_norm"].get<double>());
  }
  if (density == "gmm") {
    const auto& gmm = parameters["gmm"][static_cast<std::size_t>(target)];
    const auto means = gmm["mu"].get<std::vector<std::vector<double>>>();
    const auto variances = gmm["var"].get<std::vector<std::vector<double>>>();
    GaussianMixture mixture{gmm["pi"].get<std::vector<double>>(), Matrix(means.size(), range.size()),
                            Matrix(means.size(), range.size()), false};
    for (std::size_t k = 0; k < means.size(); ++k) {
      for (std::size_t j = 0; j < range.size(); ++j) {
        mixture.means[k][j] = means[k][j] - reference.scaling.offset[j];  // density space: range · u
        mixture.covariances[k][j] = variances[k][j];
      }
    }
    return std::make_shared<Gmm>(mixture, range);
  }
  if (density == "knn")
    return std::make_shared<Gravity>(
        rows, Gravity::Form{.neighbours = 3, .plain = false, .counts_itself = true}, std::vector<double>{});
  return std::make_shared<NoDensity>(reference.train.cols);
}

}  // namespace scfe::test
