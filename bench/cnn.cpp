// Times forward + input gradient of an ONNX model for a batch; bench/cnn_torch.py drives it beside PyTorch.
//
//     bench_cnn model.onnx rows threads
//
// Reads the batch (floats, row by row) from standard input, prints scores and gradients of their sum's for
// the check, then answers each line on standard input with the milliseconds of one run, by the clock and of
// all threads.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "scfe/onnx.h"
#include "support/parallel.h"

namespace {

using namespace scfe;

// Rows that go through the model together: at most 16, in fours, and as many pieces for each thread.
constexpr std::size_t piece_rows = 16, step = 4;

struct Piece {
  Block x, scores, seed, gradient;
  std::unique_ptr<Model::Tape> tape;
};

std::vector<Piece> read_batch(const Model& model, std::size_t rows, std::size_t threads) {
  std::vector<Piece> pieces;
  const std::size_t steps = (rows + step - 1) / step, each = threads * piece_rows;
  const std::size_t count = std::min(steps, (rows + each - 1) / each * threads);
  std::vector<float> row(model.features());
  for (std::size_t k = 0; k < count; ++k) {
    const auto begin = [&](std::size_t piece) { return std::min(rows, steps * piece / count * step); };
    const std::size_t size = begin(k + 1) - begin(k);
    pieces.push_back({Block(model.features(), size), Block(model.scores(), size), Block(model.scores(), size),
                      Block(model.features(), size), model.tape(size)});
    Piece& piece = pieces.back();
    for (std::size_t l = 0; l < size; ++l) {
      if (std::fread(row.data(), sizeof(float), row.size(), stdin) != row.size()) std::exit(2);
      for (std::size_t f = 0; f < row.size(); ++f) piece.x[f][l] = row[f];
      for (std::size_t s = 0; s < model.scores(); ++s) piece.seed[s][l] = 1;
    }
  }
  return pieces;
}

void print(const Block& block) {
  std::vector<float> row(block.features());
  for (std::size_t l = 0; l < block.lanes(); ++l) {
    for (std::size_t f = 0; f < row.size(); ++f) row[f] = block[f][l];
    std::fwrite(row.data(), sizeof(float), row.size(), stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto model = read_onnx(argv[1]);
  std::vector<Piece> pieces = read_batch(*model, std::stoul(argv[2]), std::stoul(argv[3]));
  Pool pool(std::stoul(argv[3]));
  const auto run = [&] {
    pool.each(pieces.size(), [&](std::size_t k) {
      Piece& piece = pieces[k];
      model->forward(piece.x, piece.scores, *piece.tape);
      model->backward(piece.seed, piece.gradient, *piece.tape);
    });
  };
  run();
  for (const Piece& piece : pieces) print(piece.scores);
  for (const Piece& piece : pieces) print(piece.gradient);
  std::fflush(stdout);
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    run();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f\n", taken.count(),
                1e3 * static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC);
    std::fflush(stdout);
  }
}
