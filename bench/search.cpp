// Times the default search through the Explainer on a built-in table:
//
//     bench_search TABLE DENSITY CHANGES ROWS THREADS RUNS      prints JSON: seconds of each run, answers
//
// Explains rows of class 0 towards class 1; rows are repeated if the table has too few.
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/timed.h"
#include "scfe/bundle.h"

namespace {

using nlohmann::json;

json run(const std::string& name, const scfe::Options& options, std::size_t rows, int runs) {
  const std::string data = std::string(SCFE_SOURCE_DIR) + "/data/";
  const scfe::Encoder encoder(scfe::read_schema(data + name + ".schema.json"));
  const scfe::Encoded table = encoder.encode_labelled(scfe::read_csv(data + name + ".csv"));
  const auto model = scfe::open_model(scfe::read_model_file(data + "models/" + name + ".onnx"));
  const scfe::Explainer explainer(model, {table.inputs, table.labels, encoder.features()}, options);

  const std::vector<int> predicted = explainer.predict(table.inputs);
  scfe::Matrix factuals(rows, table.inputs.cols);
  for (std::size_t i = 0, from = 0; i < rows; from = (from + 1) % table.inputs.rows)
    if (predicted[from] == 0) std::ranges::copy(table.inputs[from], factuals[i++].begin());

  json result;
  std::vector<scfe::Explanation> answers;
  result["seconds"] = scfe::bench::timed(runs, [&] { answers = explainer.explain(factuals, options); });
  double gradients = 0, valid = 0;
  for (const scfe::Explanation& answer : answers) {
    valid += answer.status == scfe::Status::valid;
    gradients += static_cast<double>(answer.gradients);
  }
  result["valid"] = valid;
  result["gradients"] = gradients / static_cast<double>(rows);
  return result;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fputs("usage: bench_search TABLE DENSITY CHANGES ROWS THREADS RUNS\n", stderr);
    return 2;
  }
  scfe::Options options;
  scfe::set_option(options, "density", arguments[2]);
  options.max_changes = std::stoi(arguments[3]);
  options.threads = std::stoi(arguments[5]);
  options.target = 1;
  options.hints = false;
  if (options.density == scfe::DensityKind::none) options.plausible = 0;
  std::cout << run(arguments[1], options, std::stoul(arguments[4]), std::stoi(arguments[6])) << '\n';
}
