// libFuzzer target: any bytes give a model or an Error.
//
//     clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined ...  (option SCFE_FUZZ of the build)
//     fuzz_read_onnx -max_total_time=60 -rss_limit_mb=2048 corpus/
#include <cstddef>
#include <cstdint>
#include <span>

#include "scfe/error.h"
#include "scfe/onnx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  try {
    (void)scfe::inspect_onnx(file);
    const auto model = scfe::read_onnx(file);
    if (model->features() > 10000) return 0;
    const auto tape = model->tape(1);
    scfe::Block x(model->features(), 1), scores(model->scores(), 1), gradient(model->features(), 1);
    model->forward(x, scores, *tape);
    model->backward(scores, gradient, *tape);
  } catch (const scfe::Error&) {
    return 0;
  }
  return 0;
}
