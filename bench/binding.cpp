// The C++ side of bench/binding.py: CPU seconds of one batch, on one thread. The work is that of the package,
// as compiled code does it: columns in memory to the model's inputs, answers, each predicted again as it
// would be written, and the values of every feature.
//
//     bench_binding E.scfe rows.csv
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "ask/answering.h"
#include "scfe/bundle.h"
#include "scfe/error.h"

namespace {

constexpr std::size_t at_once = 65'536;  // bounds the memory of answers that are not packed

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The cells of a file of numbers as columns of numbers.
scfe::Table columns_of(const scfe::Table& file) {
  scfe::Table table;
  table.source = file.source;
  for (std::size_t column = 0; column < file.columns.size(); ++column) {
    scfe::TypedColumn numbers;
    for (std::size_t row = 0; row < file.rows(); ++row)
      numbers.numbers.push_back(std::strtod(std::string(file.cell(row, column)).c_str(), nullptr));
    table.add_column(file.columns[column], std::move(numbers));
  }
  return table;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    const scfe::Bundle bundle = scfe::load_bundle(words[1]);
    const scfe::Table rows = columns_of(scfe::read_csv(words[2]));
    scfe::app::Arguments arguments;
    scfe::app::Question question = scfe::app::question_of(bundle, arguments);
    question.options.threads = 1;
    const scfe::app::Answering answering(question, false);
    std::size_t answers = 0;
    double described = 0, plain = 0;
    for (std::size_t first = 0; first < rows.rows(); first += at_once) {
      const double start = cpu_seconds();
      const scfe::Table part = rows.slice(first, std::min(at_once, rows.rows() - first));
      std::vector<std::vector<double>> values;
      for (const scfe::app::Answer& answer : answering(part, 0))
        values.push_back(bundle.encoder.values(answer.explanation.counterfactual));
      answers += values.size();
      described += cpu_seconds() - start;
      const scfe::Encoded encoded = bundle.encoder.encode(part);
      const double again = cpu_seconds();
      (void)bundle.explainer.explain_all(encoded.inputs, question.options);
      plain += cpu_seconds() - again;
    }
    std::printf("%zu rows %.6f seconds, %.6f without describing the answers\n", answers, described, plain);
  } catch (const scfe::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
