// Times the whole explainer on a tree ensemble, row by row. bench/trees.py checks the answers with the
// library that trained the model.
//
//     bench_trees MODEL SCHEMA DATA.csv ROWS.csv QUESTIONS.json PREFIX
//
// QUESTIONS.json is an object of questions, each by its name: {"options": options as in scfe/options_json.h,
// "rows": how many of the rows}. Fits once, on one thread and without learned rules, with the densities that
// a fit chooses by itself, and asks each question for one row at a time. The target is the other of two
// classes or the next of several. PREFIX.NAME.csv gets the answers, or the row itself if there is none.
// Prints a line of JSON for each question: CPU milliseconds and distance of each row.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "scfe/bundle.h"
#include "scfe/error.h"
#include "scfe/options_json.h"

namespace scfe {
namespace {

using Json = nlohmann::ordered_json;

// CPU time of this process, independent of other programs.
double milliseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Bundle fitted(const std::string& model, const std::string& schema, const std::string& data) {
  Options options;
  options.threads = 1;
  options.learned_rules = LearnedRules::none;
  return fit_bundle(read_model_file(model), read_schema(schema), read_csv(data), options);
}

class Bench {
 public:
  Bench(Bundle bundle, const std::string& rows)
      : bundle_(std::move(bundle)), table_(read_csv(rows)), given_(bundle_.encoder.encode(table_)) {
    predicted_ = bundle_.explainer.predict(given_.inputs);
  }

  Json ask(const std::string& name, const Json& question, const std::string& out) const {
    Options options = parse_options_json(question.at("options").dump(), name);
    options.threads = 1;
    const std::size_t count = std::min(question.value("rows", given_.inputs.rows), given_.inputs.rows);
    std::ofstream file(out);
    for (const Feature& feature : bundle_.explainer.features()) file << feature.name << ',';
    file << "target,status,proven\n";
    Json result = {{"question", name}, {"ms", Json::array()}, {"cost", Json::array()}};
    (void)answer(0, options);  // warms up
    for (std::size_t i = 0; i < count; ++i) {
      const double start = milliseconds();
      const Explanation e = answer(i, options);
      result["ms"].push_back(milliseconds() - start);
      result["cost"].push_back(e.status == Status::valid ? Json(e.distance) : Json());
      for (const std::string& cell : bundle_.encoder.decode(e.counterfactual, table_, i)) file << cell << ',';
      file << target(i) << ',' << status_name(e.status) << ',' << e.proven() << '\n';
    }
    return result;
  }

 private:
  int target(std::size_t i) const {
    return (predicted_[i] + 1) % static_cast<int>(bundle_.explainer.classes());
  }

  Explanation answer(std::size_t i, const Options& options) const {
    Matrix row(1, given_.inputs.cols);
    std::ranges::copy(given_.inputs[i], row.values.begin());
    const Target wanted(target(i));
    return std::move(bundle_.explainer.explain(row, options, {&wanted, 1}).front());
  }

  Bundle bundle_;
  Table table_;
  Encoded given_;
  std::vector<int> predicted_;
};

}  // namespace
}  // namespace scfe

// A bench may end with the text of an error.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** values) {
  if (count != 7)
    return std::fputs("usage: bench_trees MODEL SCHEMA DATA ROWS QUESTIONS PREFIX\n", stderr), 2;
  try {
    const scfe::Bench bench(scfe::fitted(values[1], values[2], values[3]), values[4]);
    std::ifstream file(values[5]);
    const auto questions = nlohmann::ordered_json::parse(file);
    for (const auto& [name, question] : questions.items())
      std::cout << bench.ask(name, question, std::string(values[6]) + "." + name + ".csv") << std::endl;
  } catch (const scfe::Error& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
