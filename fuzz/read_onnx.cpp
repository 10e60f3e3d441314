// libFuzzer target: any bytes must give a model or an Error, in float and in double. A model is run forward
// and backward at points made from the bytes, and a lane must give the same bits alone as beside others. Run
// by scripts/fuzz.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>

#include "model/onnx/embed.h"
#include "scfe/error.h"
#include "scfe/onnx.h"

namespace {

using Bytes = std::span<const std::byte>;

// Larger models are read but not run, so that one input takes only milliseconds.
constexpr double most_flops = 1e6;
constexpr std::size_t most_rows = 10000;
constexpr std::size_t lanes = 17;  // one more than a vector

// A number for each byte: whole numbers, small fractions, and special values for the last eight bytes.
float number(std::byte byte) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr std::array<float, 8> odd = {
      0.0F, 1e-40F, 1e30F, -1e30F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 16777217.0F};
  const auto value = std::to_integer<unsigned>(byte);
  if (value >= 248) return odd[value - 248];
  return value % 4 == 0 ? static_cast<float>(value / 4) : (static_cast<float>(value) - 124.0F) / 32.0F;
}

// Uses bytes from the end of the file, which hold names and weights and not only protobuf tags.
void fill(scfe::Block& block, Bytes file, std::size_t start) {
  for (std::size_t i = 0; i < block.features(); ++i)
    for (std::size_t l = 0; l < block.padded_lanes(); ++l)
      block[i][l] = number(file[file.size() - 1 - (start + 7 * i + 13 * l) % file.size()]);
}

void expect_same(const scfe::Block& many, const scfe::Block& one, std::size_t lane) {
  for (std::size_t i = 0; i < one.features(); ++i)
    if (one[i][0] != many[i][lane] && !(std::isnan(one[i][0]) && std::isnan(many[i][lane]))) std::abort();
}

void run_lanes(const scfe::Model& model, Bytes file) {
  scfe::Block x(model.features(), lanes), scores(model.scores(), lanes), seed(model.scores(), lanes),
      gradient(model.features(), lanes);
  fill(x, file, 0);
  fill(seed, file, 5);
  const auto tape = model.tape(lanes);
  model.forward(x, scores, *tape);
  model.backward(seed, gradient, *tape);

  scfe::Block x1(model.features(), 1), scores1(model.scores(), 1), seed1(model.scores(), 1),
      gradient1(model.features(), 1);
  constexpr std::size_t last = lanes - 1;
  for (std::size_t i = 0; i < x.features(); ++i) x1[i][0] = x[i][last];
  for (std::size_t k = 0; k < seed.features(); ++k) seed1[k][0] = seed[k][last];
  model.forward(x1, scores1, *tape);
  model.backward(seed1, gradient1, *tape);
  expect_same(scores, scores1, last);
  expect_same(gradient, gradient1, last);
}

void run(Bytes file, const scfe::OnnxOptions& options) {
  const scfe::OnnxInfo info = scfe::inspect_onnx(file, options);
  const auto model = scfe::read_onnx(file, options);
  if (model->features() > most_rows || model->scores() > most_rows || info.flops_per_gradient > most_flops)
    return;
  run_lanes(*model, file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes file(reinterpret_cast<const std::byte*>(data), size);
  try {  // the folder does not exist, so external data is always missing
    (void)scfe::onnx::embed_external_data({reinterpret_cast<const char*>(data), size}, "/nowhere");
  } catch (const scfe::Error&) {
  }
  scfe::OnnxOptions options;
  if (size % 2 == 1) options.precision = scfe::Precision::float64;
  try {
    run(file, options);
  } catch (const scfe::Error&) {
  }
  // The same file, but its last output is the scores as it is, and shapes have no batch axis.
  try {
    options.whole_shapes = true;
    const scfe::OnnxInfo info = scfe::inspect_onnx(file, options);
    if (!info.outputs.empty()) options.scores = info.outputs.back().name;
    run(file, options);
  } catch (const scfe::Error&) {
  }
  return 0;
}
