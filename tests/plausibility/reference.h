// Models, classes and values of the authors' public implementation, if the files are present.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "tests/helper/shared.h"
#include "tests/plausibility/json_matrix.h"

namespace scfe::test {

struct Reference {
  std::string name;
  nlohmann::json parameters, values;
  Matrix classes[2];  // training rows in the model's space, in order
  Matrix points;

  Matrix minmax(Matrix rows) const {
    for (std::size_t i = 0; i < rows.rows; ++i)
      for (std::size_t j = 0; j < rows.cols; ++j) {
        const double lo = parameters["mins"][j], hi = parameters["maxs"][j];
        rows[i][j] = (rows[i][j] - lo) / (hi - lo);
      }
    return rows;
  }
};

inline Reference read_reference(const std::string& set, const std::string& model) {
  const std::filesystem::path folder = shared_dir() / "reference";
  Reference found{set + "_" + model, {}, {}, {}, {}};
  found.parameters = read_json(folder / (found.name + ".json"));
  found.values = read_json(folder / (found.name + "_ref.json"));
  found.points = to_matrix(found.values["x"]);
  const std::size_t d = found.points.cols;
  for (Matrix& rows : found.classes) rows = Matrix(0, d);
  std::ifstream file(folder / (set + (model == "mlp" ? "_z" : "_pca8") + "_train.csv"));
  std::string line, cell;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<double> row;
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    Matrix& rows = found.classes[row.back() > 0.5 ? 1 : 0];
    rows.values.insert(rows.values.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(d));
    ++rows.rows;
  }
  return found;
}

template <class Check>
void for_each_reference(const Check& check) {
  for (const char* set : {"wine", "housing", "wdbc"}) {
    for (const char* model : {"mlp", "linear"}) {
      const Reference reference = read_reference(set, model);
      SCOPED_TRACE(reference.name);
      check(reference);
    }
  }
}

}  // namespace scfe::test
