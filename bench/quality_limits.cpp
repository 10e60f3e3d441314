// Wine, compared with exhaustive optima (limits_wine.json): share of feasible cases solved, share within 1 %
// of the optimum, gradients. Requirements apply to no floor, KDE and kNN.
#include <cstdio>
#include <map>
#include <tuple>

#include "bench/quality.h"
#include "tests/helper/shared_files.h"

namespace scfe::bench {

bool limits() {
  Bench bench("wine", "mlp");
  const auto entries = test::read_json(test::shared_dir() / "reference" / "limits_wine.json")["entries"];
  using Key = std::tuple<std::string, double, int>;
  std::map<Key, std::map<int, std::vector<nlohmann::json>>> groups;
  for (const auto& entry : entries) {
    if (entry["problem"].get<std::string>().find("tau") != std::string::npos) continue;
    const double quantile =
        entry.contains("quantile") && !entry["quantile"].is_null() ? entry["quantile"].get<double>() : 0;
    groups[{entry["density"], quantile, entry["m"]}][entry["target"].get<int>() > 0 ? 1 : 0].push_back(entry);
  }
  std::printf("%-6s %5s %2s %9s %7s %10s %8s %9s %9s\n", "floor", "at", "m", "feasible", "found", "within 1%",
              "better", "extra", "gradients");
  bool held = true;
  for (const auto& [key, by_target] : groups) {
    const auto& [name, quantile, m] = key;
    int feasible = 0, found = 0, close = 0, better = 0, extra = 0;
    double gradients = 0;
    for (const auto& [target, cases] : by_target) {
      const auto density = test::reference_density(bench.reference, "wine", "mlp", name, target);
      std::vector<Row> asked_rows;
      for (const auto& entry : cases)
        asked_rows.push_back(bench.asked(
            entry["x_f"], *density,
            quantile > 0 ? std::optional<double>(entry["threshold"].get<double>()) : std::nullopt));
      const std::vector<Found> answers = bench.search(asked_rows, target, *density, m);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool ok = answers[i].status == Status::valid || answers[i].status == Status::already;
        if (!cases[i]["feasible"].get<bool>()) {
          extra += ok;
          continue;
        }
        gradients += static_cast<double>(answers[i].gradients);
        ++feasible;
        found += ok;
        if (!ok) continue;
        const double mine = bench.l2(answers[i].values, asked_rows[i].values), best = cases[i]["l2"];
        close += mine <= best * 1.01 + 1e-6;
        better += mine < best * 0.999 - 1e-6;
      }
    }
    if (feasible == 0) continue;  // no such answer exists
    std::printf("%-6s %4.0f%% %2d %9d %6.1f%% %9.1f%% %8d %9d %9.1f\n", name.c_str(), 100 * quantile, m,
                feasible, 100.0 * found / feasible, 100.0 * close / std::max(found, 1), better, extra,
                gradients / std::max(feasible, 1));
    if (name != "gmm")
      held = held && found >= 0.99 * feasible && close >= 0.97 * found && gradients <= 250.0 * feasible;
  }
  return held;
}

}  // namespace scfe::bench
