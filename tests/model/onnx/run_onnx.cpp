// Runs a model (ONNX, or any other kind of file) on rows of float32 for the interop scripts, which compare it
// with other runtimes. With --double the files hold float64 and the model computes in double.
//
//     run_onnx model.onnx rows.bin seeds.bin|- out.bin [--whole] [--scores name] [--repeat n] [--double]
//     run_onnx --inspect model.onnx [--whole] [--scores name]
//     run_onnx --catalogue
//     run_onnx --trees model        prints 1 if the model is only a tree ensemble
//     run_onnx --linear model       prints 1 if it is one linear score, alone or behind encoders
//
// out.bin: for each row the scores, then the gradient of seed·scores (without seeds: of their sum).
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/additive.h"
#include "model/ops/catalogue.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/model/onnx/run_model.h"

namespace {

using scfe::test::Rows;

template <class Number>
std::vector<std::vector<Number>> read_rows(const std::string& path, std::size_t width) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::vector<Number>> rows;
  std::vector<Number> row(width);
  while (file.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(width * sizeof(Number))))
    rows.push_back(row);
  return rows;
}

template <class Number>
void write(std::ofstream& file, const std::vector<Number>& values) {
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(Number)));
}

void run_in_double(const scfe::Model& model, const std::vector<std::string>& files) {
  const auto rows = read_rows<double>(files.at(1), model.features());
  const auto seeds = files.at(2) == "-" ? decltype(rows)(rows.size(), std::vector(model.scores(), 1.0))
                                        : read_rows<double>(files.at(2), model.scores());
  std::ofstream out(files.at(3), std::ios::binary);
  std::vector<double> scores(model.scores()), gradient(model.features());
  const auto tape = model.tape(1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    model.forward_one(rows[r], scores, *tape);
    model.backward_one(seeds.at(r), gradient, *tape);
    write(out, scores), write(out, gradient);
  }
}

void print_catalogue() {
  for (const auto& row : scfe::onnx::operator_catalogue())
    std::cout << row.domain << '\t' << row.name << '\t' << scfe::onnx::name_of(row.state) << '\t' << row.note
              << '\n';
}

void print_info(const scfe::OnnxInfo& info) {
  nlohmann::json out;
  for (const auto& input : info.inputs)
    out["inputs"].push_back({{"name", input.name},
                             {"type", input.type},
                             {"first", input.first},
                             {"count", input.count},
                             {"levels", input.levels}});
  out["classes"] = info.classes;
  out["features"] = info.features;
  out["scores"] = info.scores;
  out["parameters"] = info.parameters;
  out["flops"] = info.flops_per_gradient;
  out["looked_through"] = info.looked_through;
  out["unsupported"] = info.unsupported;
  out["differentiable"] = info.differentiable;
  out["tree_obstacle"] = info.tree_obstacle;
  std::cout << out.dump() << '\n';
}

int run(const std::vector<std::string>& args) {
  scfe::OnnxOptions options;
  std::vector<std::string> plain;
  int repeat = 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--whole")
      options.whole_shapes = true;
    else if (args[i] == "--scores")
      options.scores = args.at(++i);
    else if (args[i] == "--double")
      options.precision = scfe::Precision::float64;
    else if (args[i] == "--repeat")
      repeat = std::stoi(args.at(++i));
    else
      plain.push_back(args[i]);
  }
  if (plain.at(0) == "--catalogue") return print_catalogue(), 0;
  if (plain.at(0) == "--inspect") return print_info(scfe::inspect_onnx(plain.at(1), options)), 0;
  if (plain.at(0) == "--trees" || plain.at(0) == "--linear") {
    const auto read = scfe::open_model(scfe::read_model_file(plain.at(1)), options.precision);
    const bool trees = read->ensemble() != nullptr;
    std::cout << (plain.at(0) == "--trees" ? trees : !trees && scfe::is_additive(*read)) << '\n';
    return 0;
  }
  // Rows come as floats without --double, also where the file is in double.
  if (options.precision == scfe::Precision::automatic) options.precision = scfe::Precision::float32;
  const scfe::ModelFile file = scfe::read_model_file(plain.at(0));
  const auto model = file.kind == "onnx" ? scfe::read_onnx(plain.at(0), options) : scfe::open_model(file);
  if (options.precision == scfe::Precision::float64) {
    run_in_double(*model, plain);
    std::cout << model->features() << ' ' << model->scores() << '\n';
    return 0;
  }
  const Rows rows = read_rows<float>(plain.at(1), model->features());
  const Rows seeds = plain.at(2) == "-" ? Rows{} : read_rows<float>(plain.at(2), model->scores());
  const auto result = scfe::test::run_model(*model, rows, seeds);
  std::ofstream out(plain.at(3), std::ios::binary);
  for (std::size_t r = 0; r < rows.size(); ++r) write(out, result.scores[r]), write(out, result.gradient[r]);
  if (repeat > 0) {
    const scfe::Block x = scfe::test::to_block(rows, model->features());
    scfe::Block scores(model->scores(), rows.size()), gradient(model->features(), rows.size());
    const auto tape = model->tape(rows.size());
    const std::clock_t start = std::clock();
    for (int i = 0; i < repeat; ++i)
      model->forward(x, scores, *tape), model->backward(scores, gradient, *tape);
    const double spent = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cerr << spent / repeat << " CPU ms per gradient of " << rows.size() << " rows\n";
  }
  std::cout << model->features() << ' ' << model->scores() << '\n';
  return 0;
}

}  // namespace

int main(int count, char** values) {
  try {
    return run({values + 1, values + count});
  } catch (const scfe::Error& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
