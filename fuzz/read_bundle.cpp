// libFuzzer target: fitted files. Their checksum is repaired first; otherwise nothing behind it would ever be
// read. A file that opens has to answer a question without a crash.
#include <algorithm>
#include <cstring>

#include "data/checksum.h"
#include "fuzz/fuzz.h"
#include "scfe/bundle.h"
#include "scfe/diagnostics.h"

namespace {

constexpr std::size_t size_at = 16, checksum_at = 24, header_size = 32;

std::string repaired(std::string bytes) {
  if (bytes.size() < header_size) return bytes;
  const auto size = static_cast<std::uint64_t>(bytes.size());
  std::memcpy(bytes.data() + size_at, &size, sizeof size);
  const std::string_view view = bytes;
  const std::uint64_t sum =
      scfe::fnv1a(view.substr(checksum_at + sizeof(std::uint64_t)), scfe::fnv1a(view.substr(0, checksum_at)));
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
  return bytes;
}

void ask(const scfe::Bundle& bundle) {
  const scfe::Explainer& explainer = bundle.explainer;
  const scfe::Diagnostics diagnostics(explainer);
  scfe::Options options = explainer.options();
  options.threads = 1;
  options.time_limit = 0.05;
  options.max_changes = 1;
  options.hints = false;
  for (std::size_t target = 0; target < std::min<std::size_t>(explainer.classes(), 2); ++target) {
    options.target = static_cast<int>(target);
    for (std::size_t f = 0; f < std::min<std::size_t>(explainer.features().size(), 3); ++f)
      (void)diagnostics.class_values(static_cast<int>(target), f);
    std::vector<double> row;
    for (const scfe::Feature& feature : explainer.features()) {
      row.insert(row.end(), feature.width(), 0.0);
      if (feature.is_one_hot()) row[row.size() - feature.width()] = 1;
    }
    (void)explainer.explain_one(row, options);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const scfe::fuzz::MemoryFile file(repaired(std::string(scfe::fuzz::text_of(data, size))));
  scfe::fuzz::expect_result_or_error([&] { ask(scfe::load_bundle(file.path())); });
  return 0;
}
