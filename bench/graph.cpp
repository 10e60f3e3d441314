// Compares a network as an ONNX graph with the same one as fused dense layers: scores and input gradients.
//
//     bench_graph MODEL.onnx MODEL.json LANES RUNS      prints JSON: nanoseconds per row, for each run
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "scfe/bundle.h"
#include "scfe/model.h"

namespace {

class Timed {
 public:
  Timed(std::shared_ptr<const scfe::Model> model, std::size_t lanes)
      : model_(std::move(model)),
        tape_(model_->tape(lanes)),
        x_(model_->features(), lanes),
        scores_(model_->scores(), lanes),
        seed_(model_->scores(), lanes),
        gradient_(model_->features(), lanes) {
    for (std::size_t j = 0; j < x_.features(); ++j)
      for (std::size_t lane = 0; lane < lanes; ++lane)
        x_[j][lane] = static_cast<float>((j * 31 + lane * 17) % 97) / 97.0F;
    for (std::size_t lane = 0; lane < lanes; ++lane) seed_[0][lane] = 1;
  }

  double nanoseconds_per_row(int rounds) {
    const auto start = std::chrono::steady_clock::now();
    for (int round = 0; round < rounds; ++round) {
      model_->forward(x_, scores_, *tape_);
      model_->backward(seed_, gradient_, *tape_);
    }
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return 1e9 * spent / rounds / static_cast<double>(x_.lanes());
  }

 private:
  std::shared_ptr<const scfe::Model> model_;
  std::unique_ptr<scfe::Model::Tape> tape_;
  scfe::Block x_, scores_, seed_, gradient_;
};

}  // namespace

// A bench may end with the text of an error.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** arguments) {
  if (count != 5) {
    std::fputs("usage: bench_graph MODEL.onnx MODEL.json LANES RUNS\n", stderr);
    return 2;
  }
  const std::size_t lanes = std::stoul(arguments[3]);
  Timed planned(scfe::open_model(scfe::read_model_file(arguments[1])), lanes);
  Timed fused(scfe::read_model_json(arguments[2]), lanes);
  nlohmann::json result;
  for (int i = 0; i < std::stoi(arguments[4]); ++i) {
    result["planned"].push_back(planned.nanoseconds_per_row(3000));
    result["fused"].push_back(fused.nanoseconds_per_row(3000));
  }
  std::cout << result << '\n';
}
