// MNIST with the paper's CNN, 100 images, target digit + 1, m = 25: default against the paper's algorithm.
//
// Requirements: at least 99 % valid; mean l2 and LOF not worse than paper mode on images that both explain.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "bench/quality.h"
#include "cli/idx.h"
#include "scfe/diagnostics.h"
#include "scfe/metrics.h"
#include "scfe/onnx.h"
#include "tests/helper/shared_files.h"

namespace scfe::bench {
namespace {

constexpr std::size_t training_rows = 10000;

class Watch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void say(const std::string& what, const Watch& watch) {
  std::printf("  %-40s %7.1f s\n", what.c_str(), watch.seconds());
  std::fflush(stdout);
}

Training training_images() {
  Training training;
  const auto data = test::shared_dir() / "data";
  training.rows = app::read_idx_images((data / "train-images-idx3-ubyte.gz").string(), training_rows).pixels;
  training.labels = app::read_idx_labels((data / "train-labels-idx1-ubyte.gz").string(), training_rows);
  for (double& pixel : training.rows.values) pixel = pixel / 127.5 - 1;
  return training;
}

struct Images {
  Matrix factuals;
  std::vector<Target> targets;
};

Images reference_images(std::size_t most) {
  const auto run =
      test::read_json(test::shared_dir() / "reference" / "runs" / "run_mnist_cnn_gmm_zero_fixed.json");
  Images images{Matrix(std::min(most, run["x"].size()), run["x"][0].size()), {}};
  for (std::size_t i = 0; i < images.factuals.rows; ++i) {
    const auto x = run["x"][i].get<std::vector<double>>();
    std::copy(x.begin(), x.end(), images.factuals[i].begin());
    images.targets.emplace_back(run["target"][i].get<int>());
  }
  return images;
}

struct Outcome {
  std::vector<bool> found;
  std::vector<double> l2, lof;
  double gradients = 0, seconds = 0, above_floor = 0;
};

Outcome measure(const Explainer& explainer, const Images& images, const Options& options,
                const std::vector<Lof>& lof) {
  const Watch watch;
  const auto answers = explainer.explain(images.factuals, options, images.targets);
  Outcome outcome;
  outcome.seconds = watch.seconds();
  for (const Explanation& e : answers) {
    outcome.gradients += static_cast<double>(e.gradients) / static_cast<double>(answers.size());
    outcome.found.push_back(e.found());
    outcome.above_floor += e.status == Status::valid ? 1 : 0;
    outcome.l2.push_back(2 * e.l2);  // pixels range from -1 to 1
    Matrix row(1, images.factuals.cols);
    if (e.found()) std::copy(e.counterfactual.begin(), e.counterfactual.end(), row[0].begin());
    const auto digit = static_cast<std::size_t>(e.target);
    outcome.lof.push_back(e.found() ? lof[digit](Diagnostics(explainer).to_work_space(row)[0]) : 0);
  }
  return outcome;
}

struct Means {
  double found = 0, l2 = 0, lof = 0;
};

// The means over images that both outcomes explain.
Means means(const Outcome& outcome, const Outcome& both) {
  Means result;
  double count = 0;
  for (std::size_t i = 0; i < outcome.found.size(); ++i) {
    result.found += outcome.found[i] ? 1 : 0;
    if (!outcome.found[i] || !both.found[i]) continue;
    count += 1;
    result.l2 += outcome.l2[i];
    result.lof += outcome.lof[i];
  }
  return {result.found, result.l2 / count, result.lof / count};
}

}  // namespace

bool mnist(std::size_t most) {
  Watch watch;
  const Images images = reference_images(most);
  const auto count = static_cast<double>(images.factuals.rows);
  std::printf("\nMNIST CNN, m = 25, %.0f images\n", count);
  const auto model = read_onnx((test::shared_dir() / "reference" / "mnist_cnn.onnx").string());
  Options ours;
  ours.density = DensityKind::knn;
  ours.max_changes = 25;
  ours.tau = 2;
  Options paper = ours;
  paper.solver = Solver::apg;
  paper.step_rule = StepRule::paper;
  paper.keep_best = false;
  paper.plausible = 0;
  const Explainer explainer(model, training_images(), ours);
  say("read and fitted on 10000 images", watch);
  std::vector<Lof> lof;
  for (int digit = 0; digit < 10; ++digit) lof.emplace_back(Diagnostics(explainer).class_rows(digit));
  say("LOF of ten digits", watch);
  const Outcome theirs = measure(explainer, images, paper, lof);
  say("paper mode", watch);
  const Outcome mine = measure(explainer, images, ours, lof);
  say("default", watch);
  std::printf("%-12s %7s %12s %8s %8s %10s %9s\n", "", "valid", "above floor", "l2", "LOF", "gradients",
              "seconds");
  const Means before = means(theirs, mine), after = means(mine, theirs);
  const auto line = [](const char* name, const Means& m, const Outcome& o) {
    std::printf("%-12s %7.0f %12.0f %8.3f %8.3f %10.0f %9.1f\n", name, m.found, o.above_floor, m.l2, m.lof,
                o.gradients, o.seconds);
  };
  line("paper mode", before, theirs);
  line("default", after, mine);
  const bool held = after.found >= 0.99 * count && after.l2 <= before.l2 && after.lof <= before.lof;
  std::printf("bar (>= 99 %% valid, l2 and LOF no worse): %s\n", held ? "held" : "NOT held");
  return held;
}

}  // namespace scfe::bench
