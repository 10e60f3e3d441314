// libFuzzer target: the answers that an interrupted report keeps for --resume.
#include "fuzz/fuzz.h"
#include "output/answer_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes = scfe::fuzz::text_of(data, size);
  scfe::fuzz::expect_result_or_error([&] {
    while (!bytes.empty()) {
      std::string again;
      const std::string_view before = bytes;
      scfe::app::append_answer(again, scfe::app::take_answer(bytes, "file"));
      if (bytes.size() >= before.size()) std::abort();
    }
  });
  return 0;
}
