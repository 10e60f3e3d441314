// Times scores and input gradients of an ONNX model for a batch. bench/cnn_torch.py compares it with PyTorch.
//
//     bench_cnn model.onnx rows threads
//
// Reads the batch (floats, row by row) from standard input and prints scores and the gradients of their sum
// for a check. Then, for each number N on standard input, it makes N runs and prints wall-clock and CPU
// milliseconds of each on a line. A warm-up of 0.1 s precedes them, because a scheduler may keep threads that
// slept on one core until it sees that both work.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "scfe/onnx.h"
#include "support/parallel.h"

namespace {

using namespace scfe;

// Number of rows that go through the model together. Each thread processes its share in pieces of at most 16
// rows, in multiples of four; the last piece takes the remainder.
constexpr std::size_t piece_rows = 16, step = 4;

std::vector<std::size_t> piece_sizes(std::size_t rows, std::size_t threads) {
  std::vector<std::size_t> sizes;
  const std::size_t each = threads * piece_rows, count = (rows + each - 1) / each;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t t = 0; t < threads; ++t) {
      const std::size_t share = rows * (t + 1) / threads - rows * t / threads;
      const std::size_t steps = (share + step - 1) / step;
      const auto begin = [&](std::size_t piece) { return std::min(share, steps * piece / count * step); };
      if (const std::size_t size = begin(k + 1) - begin(k); size > 0) sizes.push_back(size);
    }
  return sizes;
}

struct Piece {
  Block x, scores, seed, gradient;
  std::unique_ptr<Model::Tape> tape;
};

std::vector<Piece> read_batch(const Model& model, std::size_t rows, std::size_t threads) {
  std::vector<Piece> pieces;
  std::vector<float> row(model.features());
  for (const std::size_t size : piece_sizes(rows, threads)) {
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
  using Clock = std::chrono::steady_clock;
  for (int runs = 0; std::scanf("%d", &runs) == 1; std::fflush(stdout)) {
    for (const auto warm = Clock::now() + std::chrono::milliseconds(100); Clock::now() < warm;) run();
    for (int k = 0; k < runs; ++k) {
      const auto start = Clock::now();
      const std::clock_t busy = std::clock();
      run();
      const std::chrono::duration<double, std::milli> taken = Clock::now() - start;
      std::printf("%.6f %.6f\n", taken.count(),
                  1e3 * static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC);
    }
  }
}
