// libFuzzer target: LightGBM's model files, and what they say about their inputs.
#include "model/trees/read_lightgbm.h"

#include <vector>

#include "fuzz/fuzz.h"
#include "model/trees/ensemble.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = scfe::fuzz::text_of(data, size);
  scfe::fuzz::expect_result_or_error([&] { (void)scfe::lightgbm_inputs(bytes); });
  scfe::fuzz::expect_result_or_error([&] {
    const auto model = scfe::parse_lightgbm(bytes, "file");
    std::vector<double> scores(model->scores());
    model->ensemble()->scores(std::vector<double>(model->features(), 0.5), scores);
  });
  return 0;
}
