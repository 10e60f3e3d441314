// WDBC with two changes, compared with an enumeration of all pairs of features.
#include <cstdio>

#include "bench/quality.h"

namespace scfe::bench {
namespace {

// Is there any valid point on the grid of any pair of features?
bool exhaustive_pair(const Bench& bench, const Row& asked, int target) {
  constexpr int steps = 41, width = 48;
  const Model& model = *bench.reference.model;
  const std::size_t d = asked.values.size();
  Block x(d, width), score(1, width);
  const auto tape = model.tape(width);
  for (std::size_t a = 0; a < d; ++a) {
    for (std::size_t b = a + 1; b < d; ++b) {
      for (int p = 0; p < steps; ++p) {
        for (std::size_t j = 0; j < d; ++j) std::fill_n(x[j], width, static_cast<float>(asked.values[j]));
        for (int q = 0; q < width; ++q) {
          const auto at = [&](std::size_t j, int k) {
            const double w = asked.lo[j] + (asked.hi[j] - asked.lo[j]) * std::min(k, steps - 1) / (steps - 1);
            return static_cast<float>(bench.reference.scaling.to_original(j, asked.factual[j] + w));
          };
          x[a][q] = at(a, p);
          x[b][q] = at(b, q);
        }
        model.forward(x, score, *tape);
        for (int q = 0; q < steps; ++q)
          if ((target == 1 ? score[0][q] : -score[0][q]) >= 1e-4F) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool wdbc() {
  Bench bench("wdbc", "mlp");
  const auto none = test::reference_density(bench.reference, "wdbc", "mlp", "none", 0);
  int found = 0, feasible = 0, rows = 0;
  for (const int target : {0, 1}) {
    std::vector<Row> asked_rows;
    for (std::size_t i = 0; i < bench.reference.test.rows; ++i) {
      if (bench.reference.test_labels[i] == target) continue;
      const auto row = bench.reference.test[i];
      asked_rows.push_back(bench.asked({row.begin(), row.end()}, *none, std::nullopt));
    }
    const std::vector<Found> answers = bench.search(asked_rows, target, *none, 2);
    std::vector<int> possible(asked_rows.size());
    bench.pool.each(asked_rows.size(), [&](std::size_t i) {
      possible[i] = answers[i].status != Status::not_found || exhaustive_pair(bench, asked_rows[i], target);
    });
    for (std::size_t i = 0; i < asked_rows.size(); ++i) {
      ++rows;
      found += answers[i].status == Status::valid || answers[i].status == Status::already;
      feasible += possible[i];
    }
  }
  std::printf(
      "\nwdbc mlp, m = 2, no floor: %d rows, %d possible by enumeration of pairs, %d found (%.1f%%); public "
      "code 46\n",
      rows, feasible, found, 100.0 * found / std::max(feasible, 1));
  return found >= 0.95 * feasible;
}

}  // namespace scfe::bench
