// libFuzzer target: any bytes give a model or an Error, in float or in double. Run by scripts/fuzz.
#include <cstddef>
#include <cstdint>
#include <span>

#include "scfe/error.h"
#include "scfe/onnx.h"

namespace {

// Models that ask for more than this are read but not run: one input must take milliseconds.
constexpr double most_flops = 1e8;
constexpr std::size_t most_rows = 100000;

void run(std::span<const std::byte> file, const scfe::OnnxOptions& options) {
  const scfe::OnnxInfo info = scfe::inspect_onnx(file, options);
  const auto model = scfe::read_onnx(file, options);
  if (model->features() > most_rows || model->scores() > most_rows || info.flops_per_gradient > most_flops)
    return;
  const auto tape = model->tape(1);
  scfe::Block x(model->features(), 1), scores(model->scores(), 1), gradient(model->features(), 1);
  model->forward(x, scores, *tape);
  model->backward(scores, gradient, *tape);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  scfe::OnnxOptions options;
  if (size % 2 == 1) options.precision = "double";
  try {
    run(file, options);
  } catch (const scfe::Error&) {
  }
  // The same file with its last output taken as it stands and shapes without a batch axis.
  try {
    options.whole_shapes = true;
    const scfe::OnnxInfo info = scfe::inspect_onnx(file, options);
    if (!info.outputs.empty()) options.scores = info.outputs.back().name;
    run(file, options);
  } catch (const scfe::Error&) {
  }
  return 0;
}
