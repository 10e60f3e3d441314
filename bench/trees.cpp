// Times the exact solver on a tree ensemble, row by row. bench/trees.py checks the answers with the library
// that trained the model.
//
//     bench_trees MODEL SCHEMA DATA.csv ROWS.csv OUT.csv MAX_CHANGES
//
// The target is the other of two classes or the next of several; no density, one thread. OUT.csv contains the
// answers, or the row itself if there is none. Prints one line of JSON.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "actionability/limits.h"
#include "model/trees/ensemble.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "solver/exact/exact.h"
#include "support/parallel.h"

namespace scfe {
namespace {

int predicted(const Ensemble& ensemble, std::span<const double> inputs) {
  std::vector<double> z(ensemble.base.size());
  ensemble.scores(inputs, z);
  if (z.size() == 1) return z[0] > 0 ? 1 : 0;
  return static_cast<int>(std::ranges::max_element(z) - z.begin());
}

// CPU time of this process, independent of other programs.
double milliseconds_since(std::clock_t start) {
  return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

class Bench {
 public:
  Bench(const std::string& model, const std::string& schema, const std::string& data)
      : encoder_(read_schema(schema)), model_(open_model(read_model_file(model))) {
    if (!model_->ensemble()) throw Error(model, "a tree ensemble", "another model");
    if (model_->features() != encoder_.inputs())
      throw Error(model, std::to_string(encoder_.inputs()) + " inputs", std::to_string(model_->features()));
    const Encoded rows = encoder_.encode_labelled(read_csv(data));
    features_ = complete_features(encoder_.features(), rows.inputs);
    space_ = Space(features_, min_max_scaling(rows.inputs), std::vector<double>(rows.inputs.cols, 1.0));
    for (const Feature& feature : features_) writing_.step.push_back(*feature.step);
  }

  void run(const std::string& rows, const std::string& out, int max_changes) {
    const Table table = read_csv(rows);
    const Encoded given = encoder_.encode(table);
    const Ensemble& ensemble = *model_->ensemble();
    const int classes = static_cast<int>(model_->classes());
    std::ofstream file(out);
    for (std::size_t f = 0; f < features_.size(); ++f) file << (f > 0 ? "," : "") << features_[f].name;
    file << ",target,status,proven\n";
    Pool pool(1);
    std::vector<std::string> times, costs;
    std::map<int, std::unique_ptr<ExactSolver>> solvers;
    double setup = 0;
    for (std::size_t i = 0; i < given.inputs.rows; ++i) {
      const int target = (predicted(ensemble, given.inputs[i]) + 1) % classes;
      if (!solvers.contains(target)) {
        const std::clock_t start = std::clock();
        options_.push_back(std::make_unique<ExactOptions>());
        options_.back()->max_changes = max_changes;
        options_.back()->fewest_first = false;
        options_.back()->target = target;
        solvers[target] =
            std::make_unique<ExactSolver>(ExactJob{ensemble, space_, writing_, *options_.back()});
        setup = std::max(setup, milliseconds_since(start));
      }
      const Row row = instance(given.inputs[i]);
      Found found;
      const std::clock_t start = std::clock();
      solvers[target]->run({&row, 1}, {&found, 1}, pool);
      times.push_back(std::to_string(milliseconds_since(start)));
      double cost = 0;
      for (std::size_t f = 0; f < features_.size(); ++f)
        cost += space_.cost(f, row.values[f], found.values[f]);
      costs.push_back(found.status == Status::valid ? std::to_string(std::sqrt(cost)) : "null");
      std::vector<double> inputs(space_.inputs());
      space_.to_inputs(found.values, inputs);
      for (const std::string& cell : encoder_.decode(inputs, table, i)) file << cell << ',';
      file << target << ',' << status_name(found.status) << ',' << found.proven << '\n';
    }
    std::cout << "{\"setup\": " << setup << ", \"ms\": [" << list(times) << "], \"cost\": [" << list(costs)
              << "]}\n";
  }

 private:
  static std::string list(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
  }

  Row instance(std::span<const double> inputs) const {
    Row row;
    row.required = ExactOptions().required;
    row.values = space_.to_values(inputs);
    row.factual.resize(space_.columns());
    space_.to_columns(row.values, row.factual);
    set_limits(features_, space_, row);
    return row;
  }

  Encoder encoder_;
  std::shared_ptr<const Model> model_;
  std::vector<Feature> features_;
  Space space_;
  Writing writing_;
  std::vector<std::unique_ptr<ExactOptions>> options_;
};

}  // namespace
}  // namespace scfe

int main(int count, char** values) {
  if (count != 7) return std::fputs("usage: bench_trees MODEL SCHEMA DATA ROWS OUT MAX_CHANGES\n", stderr), 2;
  try {
    scfe::Bench(values[1], values[2], values[3]).run(values[4], values[5], std::atoi(values[6]));
  } catch (const scfe::Error& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
