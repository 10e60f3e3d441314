// The C++ side of bench/binding.py: CPU seconds of one batch, on one thread.
//
//     bench_binding E.scfe rows.csv
#include <cstdio>
#include <ctime>

#include "scfe/bundle.h"
#include "scfe/error.h"

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    const scfe::Bundle bundle = scfe::load_bundle(words[1]);
    const scfe::Encoded rows = bundle.encoder.encode(scfe::read_csv(words[2]));
    scfe::Options options = bundle.explainer.options();
    options.threads = 1;
    const std::clock_t start = std::clock();
    const auto answers = bundle.explainer.explain_all(rows.inputs, options);
    std::printf("%zu rows %.6f seconds\n", answers.size(),
                static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  } catch (const scfe::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
