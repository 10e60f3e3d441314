// libFuzzer target: images and labels in idx files, plain or compressed.
#include "cli/idx.h"
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const scfe::fuzz::MemoryFile file(scfe::fuzz::text_of(data, size));
  scfe::fuzz::expect_result_or_error([&] { (void)scfe::app::read_idx_images(file.path(), 100); });
  scfe::fuzz::expect_result_or_error([&] { (void)scfe::app::read_idx_labels(file.path()); });
  return 0;
}
