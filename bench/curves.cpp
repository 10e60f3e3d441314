// How the time of `search` grows with features, rows and threads, varied one at a time (bench/growth.cpp
// varies training rows). The model is a random network with 16 hidden units, two classes from one Gaussian
// cloud, m = 2, a KDE floor of 10 %, otherwise default options.
//
//     bench_curves [--csv FILE] [--quick]       milliseconds per row, median of five interleaved runs
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "tests/helper/clouds.h"

namespace scfe::bench {
namespace {

constexpr int runs = 5;

struct Trial {
  std::string curve;
  std::size_t features = 20, rows = 1000;
  int threads = 1;
  std::size_t at;  // value of the varied quantity
  std::vector<double> millis = {};
};

// `count` rows of the unwanted class, repeated if there are fewer.
Matrix refused(const Training& training, std::size_t count) {
  Matrix rows(count, training.rows.cols);
  for (std::size_t i = 0, from = 0; i < count; from = (from + 1) % training.rows.rows)
    if (training.labels[from] == 0) std::ranges::copy(training.rows[from], rows[i++].begin());
  return rows;
}

void run_once(Trial& trial, bool timed) {
  const auto model = test::random_network(trial.features, 1, 5);
  const Training training = test::labelled_by(*model, 400, 6);
  Options options;
  options.density = DensityKind::kde;
  options.max_changes = 2;
  options.target = 1;
  options.hints = false;
  options.threads = trial.threads;
  const Explainer explainer(model, training, options);
  const Matrix rows = refused(training, trial.rows);
  const auto start = std::chrono::steady_clock::now();
  (void)explainer.explain(rows, options);
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  if (timed) trial.millis.push_back(spent.count() / static_cast<double>(trial.rows));
}

std::vector<Trial> all_trials(std::size_t most_rows) {
  std::vector<Trial> trials;
  for (const std::size_t d : {5, 10, 20, 40, 80})
    trials.push_back({.curve = "features", .features = d, .rows = 200, .at = d});
  for (std::size_t n = 10; n <= most_rows; n *= 10) trials.push_back({.curve = "rows", .rows = n, .at = n});
  for (const int t : {1, 2})
    trials.push_back({.curve = "threads", .threads = t, .at = static_cast<std::size_t>(t)});
  return trials;
}

}  // namespace
}  // namespace scfe::bench

int main(int count, char** arguments) {
  using namespace scfe::bench;
  std::FILE* csv = nullptr;
  std::size_t most_rows = 100000;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "--quick")) most_rows = 10000;
    if (!std::strcmp(arguments[i], "--csv") && i + 1 < count) csv = std::fopen(arguments[++i], "w");
  }
  std::vector<Trial> trials = all_trials(most_rows);
  for (int run = -1; run < runs; ++run)
    for (Trial& trial : trials) run_once(trial, run >= 0);
  if (csv) std::fprintf(csv, "curve,at,ms_per_row,low,high\n");
  std::printf("%-10s %8s %14s\n", "over", "at", "ms a row");
  for (Trial& trial : trials) {
    std::ranges::sort(trial.millis);
    const double low = trial.millis[1], middle = trial.millis[2], high = trial.millis[3];
    std::printf("%-10s %8zu %8.4f (%.4f-%.4f)\n", trial.curve.c_str(), trial.at, middle, low, high);
    if (csv) std::fprintf(csv, "%s,%zu,%g,%g,%g\n", trial.curve.c_str(), trial.at, middle, low, high);
  }
  if (csv) std::fclose(csv);
}
