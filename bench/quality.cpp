// Compares answers with exhaustive optima and with those of the authors' public implementation.
//
//     build/bench/bench_quality [limits|public|wdbc|mnist [images]]
//
// Needs the reference values beside the repository.
#include "bench/quality.h"

#include <cstdio>

#include "tests/helper/shared_files.h"

// Exit status: 0 if all requirements hold, 1 if one fails, 77 if there is no reference to compare with.
int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "all";
  if (!std::filesystem::exists(scfe::test::shared_dir() / "reference")) {
    std::printf("skipped: %s is absent (reference values are not part of the repository)\n",
                (scfe::test::shared_dir() / "reference").c_str());
    return 77;
  }
  bool held = true;
  if (what == "limits" || what == "all") held = scfe::bench::limits() && held;
  if (what == "public" || what == "all") held = scfe::bench::against_public() && held;
  if (what == "wdbc" || what == "all") held = scfe::bench::wdbc() && held;
  if (what == "mnist" || what == "all")
    held = scfe::bench::mnist(argc > 2 ? std::stoul(argv[2]) : 100) && held;
  return held ? 0 : 1;
}
