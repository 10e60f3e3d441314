// libFuzzer target: dense networks as JSON.
#include "fuzz/fuzz.h"
#include "model/read_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  scfe::fuzz::expect_result_or_error(
      [&] { (void)scfe::parse_model_json(std::string(scfe::fuzz::text_of(data, size)), "file"); });
  return 0;
}
