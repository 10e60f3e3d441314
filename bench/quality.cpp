// How good the answers are, against exhaustive optima and the public implementation's answers.
//
//     build/bench/bench_quality [limits|public|wdbc]      (needs the reference values beside the repository)
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>

#include "solver/search.h"
#include "support/parallel.h"
#include "tests/helper/reference.h"
#include "tests/helper/shared_files.h"

namespace scfe {
namespace {

using test::Reference;

struct Bench {
  Reference reference;
  std::string set, kind;
  Writing writing;
  std::vector<double> weight;
  Pool pool{0};

  Bench(const std::string& set_, const std::string& kind_)
      : reference(test::load_reference(set_, kind_)), set(set_), kind(kind_) {
    writing.step.assign(reference.train.cols, 0.0);
    weight.assign(reference.train.cols, 1.0);
  }

  Instance instance(const std::vector<double>& z, const Density& density, std::optional<double> floor) const {
    Instance instance;
    instance.original = z;
    instance.floor = floor;
    std::vector<float> factual;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double u = reference.scaling.to_work(j, z[j]);
      instance.factual.push_back(u);
      instance.lo.push_back(std::min(0.0, -u));
      instance.hi.push_back(std::max(0.0, 1 - u));
      factual.push_back(static_cast<float>(u));
    }
    instance.anchor.resize(z.size());
    density.anchor(factual, instance.anchor);
    return instance;
  }

  double l2(const std::vector<double>& x, const std::vector<double>& from) const {
    double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      sum += weight[j] * std::pow((x[j] - from[j]) / reference.scaling.range[j], 2);
    return std::sqrt(sum);
  }

  std::vector<Found> search(const std::vector<Instance>& instances, int target, const Density& density,
                            int m) {
    const Validity validity(reference.model->scores(), {.target = target, .margin = 1e-4, .probability = {}});
    const Wished wished{*reference.model, reference.scaling, validity, density};
    SearchOptions options;
    options.max_changes = m;
    options.fewest_first = false;
    options.margin = validity.required();
    std::vector<Found> found(instances.size());
    SearchJob job{
        wished, options, weight, writing, density.features() > 0, {}, Lanes::Clock::time_point::max()};
    search_rows(job, instances, found, pool);
    return found;
  }
};

// limits_wine.json: share of the feasible cases found, share within 1 % of the optimum, gradients.
void limits() {
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
  for (const auto& [key, by_target] : groups) {
    const auto& [name, quantile, m] = key;
    int feasible = 0, found = 0, close = 0, better = 0, extra = 0;
    double gradients = 0, rows = 0;
    for (const auto& [target, cases] : by_target) {
      const auto density = test::reference_density(bench.reference, "wine", "mlp", name, target);
      std::vector<Instance> instances;
      for (const auto& entry : cases)
        instances.push_back(bench.instance(
            entry["x_f"], *density,
            quantile > 0 ? std::optional<double>(entry["threshold"].get<double>()) : std::nullopt));
      const std::vector<Found> answers = bench.search(instances, target, *density, m);
      for (std::size_t i = 0; i < cases.size(); ++i) {
        const bool ok = answers[i].status == Status::valid || answers[i].status == Status::already;
        rows += 1;
        if (!cases[i]["feasible"].get<bool>()) {
          extra += ok;
          continue;
        }
        gradients += static_cast<double>(answers[i].gradients);
        ++feasible;
        found += ok;
        if (!ok) continue;
        const double mine = bench.l2(answers[i].x, instances[i].original), best = cases[i]["l2"];
        close += mine <= best * 1.01 + 1e-6;
        better += mine < best * 0.999 - 1e-6;
      }
    }
    std::printf("%-6s %4.0f%% %2d %9d %6.1f%% %9.1f%% %8d %9d %9.1f\n", name.c_str(), 100 * quantile, m,
                feasible, 100.0 * found / feasible, 100.0 * close / std::max(found, 1), better, extra,
                gradients / std::max(feasible, 1));
  }
}

}  // namespace
}  // namespace scfe

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "all";
  if (what == "limits" || what == "all") scfe::limits();
  return 0;
}
