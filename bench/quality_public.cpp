// Compares with answers of the authors' public implementation under a hard limit m.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/quality.h"
#include "tests/helper/shared_files.h"

namespace scfe::bench {
namespace {

double log_density_at(const Bench& bench, const Density& density, const Row& asked,
                      const std::vector<double>& z) {
  Block x(z.size(), 1), anchors(z.size(), 1);
  for (std::size_t j = 0; j < z.size(); ++j) {
    x[j][0] = static_cast<float>(bench.reference.scaling.to_work(j, z[j]));
    anchors[j][0] = asked.anchor[j];
  }
  std::vector<float> value(lane_step), scratch(density.scratch(1));
  density.evaluate(x, anchors, value.data(), nullptr, nullptr, scratch.data());
  return value[0];
}

struct Tally {
  int theirs = 0, found = 0, closer = 0;
  double ratio = 0;
};

// Compares with one run of the public code: the floor of each row is the density of that run's answer.
Tally against_run(Bench& bench, const nlohmann::json& run, const std::string& density_name, int m) {
  Tally tally;
  for (const int target : {0, 1}) {
    const auto density =
        test::reference_density(bench.reference, bench.set, bench.kind, density_name, target);
    std::vector<Row> asked_rows;
    std::vector<std::vector<double>> theirs;
    for (std::size_t i = 0; i < run["x"].size(); ++i) {
      if ((run["target"][i].get<int>() > 0 ? 1 : 0) != target || !run["valid"][i].get<bool>()) continue;
      theirs.push_back(run["cf"][i]);
      Row asked = bench.asked(run["x"][i], *density, std::nullopt);
      if (density_name != "none") {  // less what single precision cannot tell
        const double floor = log_density_at(bench, *density, asked, theirs.back());
        asked.floor = floor - 2e-6 * std::max(1.0, std::abs(floor));
      }
      asked_rows.push_back(std::move(asked));
    }
    const std::vector<Found> found = bench.search(asked_rows, target, *density, m);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].status == Status::already) continue;  // we ask nothing more of a row of the target class
      const bool ok = found[i].status == Status::valid;
      const double mine = bench.l2(found[i].values, asked_rows[i].values),
                   other = bench.l2(theirs[i], asked_rows[i].values);
      ++tally.theirs;
      tally.found += ok;
      tally.closer += ok && mine <= other * (1 + 1e-3) + 1e-5;
      tally.ratio += ok && other > 1e-3 ? mine / other : 1;
    }
  }
  return tally;
}

}  // namespace

bool against_public() {
  std::printf("\n%-36s %2s %7s %7s %12s %10s %12s %10s\n", "public code's exact-m answers", "m", "valid",
              "ours", "no farther", "l2 ratio", "(z space)", "ratio");
  bool held = true;
  for (const std::string set : {"wine", "housing"}) {
    for (const std::string kind : {"dnn", "linear"}) {
      Bench bench(set, kind == "dnn" ? "mlp" : "linear");
      const int m = kind == "dnn" ? 2 : 1;
      bench.margin = 1e-6;  // the public code only requires the right sign
      for (const std::string density : {"none", "kde", "gmm", "knn"}) {
        for (const std::string suffix : {"", "_swept"}) {
          const std::string name = set + "_" + kind + "_" + density + "_zero_fixed" + suffix;
          const auto path = test::shared_dir() / "reference" / "runs" / ("run_" + name + ".json");
          if (!std::filesystem::exists(path)) continue;
          const nlohmann::json run = test::read_json(path);
          bench.weight.assign(bench.weight.size(), 1.0);
          const Tally work = against_run(bench, run, density, m);
          for (std::size_t j = 0; j < bench.weight.size(); ++j)
            bench.weight[j] = std::pow(bench.reference.scaling.range[j], 2);
          const Tally z = against_run(bench, run, density, m);
          std::printf("%-36s %2d %7d %7d %11.1f%% %10.3f %11.1f%% %10.3f\n", name.c_str(), m, work.theirs,
                      work.found, 100.0 * work.closer / work.theirs, work.ratio / work.theirs,
                      100.0 * z.closer / z.theirs, z.ratio / z.theirs);
          held = held && work.found == work.theirs && work.closer >= 0.97 * work.theirs;
        }
      }
    }
  }
  return held;
}

}  // namespace scfe::bench
