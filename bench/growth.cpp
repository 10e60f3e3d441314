// How cost and error of densities grow with training rows: n = 10^3 .. 10^6 (--quick: 10^5), 20 features.
//
//     bench_growth [--quick] [--csv FILE]
//
// For each density: seconds to fit; microseconds per gradient in blocks of 48 lanes (8 rows with 6 candidates
// each that differ in two features, like those of the search), median of interleaved runs; the ratio to n =
// 10^3; and the mean |error| of log q against the exact sum on held-out rows. `knn` is the cost of a
// gradient, `gravity` that of finding the gravity point (once per row), `lof` that of a query.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numbers>
#include <string>

#include "plausibility/catalogue.h"
#include "scfe/metrics.h"
#include "support/random.h"

namespace {

using namespace scfe;

constexpr std::size_t features = 20, points = 200, lanes = 48, candidates = 6;
constexpr int runs = 7;

// CPU time of this process, since the machine may be busy with others.
double cpu_seconds() {
  timespec at{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
  return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
}

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

// clusters: ten Gaussians with full covariance, the hardest case in 20 features. factors: five factors plus
// noise, with correlations like in real tables.
Matrix draw(const std::string& kind, std::size_t rows, std::uint64_t seed) {
  Random shape(7), random(seed);
  Matrix places(10, features), loads(5, features), drawn(rows, features);
  for (double& v : places.values) v = 2 * normal(shape);
  for (double& v : loads.values) v = normal(shape);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t cluster = random.index(10);
    double factor[5];
    for (double& f : factor) f = normal(random);
    for (std::size_t j = 0; j < features; ++j) {
      double at = kind == "clusters"
                      ? places[cluster][j] + (0.5 + 0.1 * static_cast<double>(j % 5)) * normal(random)
                      : 0.3 * normal(random);
      for (std::size_t f = 0; f < 5 && kind == "factors"; ++f) at += factor[f] * loads[f][j];
      drawn[i][j] = 0.5 + 0.06 * at;  // roughly fills the unit box
    }
  }
  return drawn;
}

struct Trial {
  std::string data, name;
  std::size_t n = 0;
  double fit_seconds = 0, error = NAN, mean = NAN;
  std::function<void()> once = {};  // computes `calls` gradients or queries
  std::size_t calls = 1;
  std::vector<double> micros = {};
  std::string note = {};
};

struct Evaluation {
  FittedDensity fitted;
  Block x{features, lanes}, anchors{features, lanes}, gradient{features, lanes}, weights;
  std::vector<float> value, scratch;

  Evaluation(FittedDensity density, const Matrix& rows) : fitted(std::move(density)) {
    weights = Block(std::max<std::size_t>(1, fitted.density->weights()), lanes);
    value.resize(padded(lanes));
    scratch.resize(fitted.density->scratch(lanes));
    Random random(3);
    for (std::size_t l = 0; l < lanes; ++l) {
      std::vector<float> factual(rows[l / candidates].begin(), rows[l / candidates].end()), anchor(features);
      fitted.density->anchor(factual, anchor);
      for (int moved = 0; moved < 2; ++moved)
        factual[random.index(features)] += static_cast<float>(0.03 * normal(random));
      for (std::size_t j = 0; j < features; ++j) x[j][l] = factual[j], anchors[j][l] = anchor[j];
    }
  }
  void operator()() {
    fitted.density->evaluate(x, anchors, value.data(), &gradient,
                             fitted.density->weights() > 0 ? &weights : nullptr, scratch.data());
  }
  double log_density(std::span<const double> at) {
    Block one(features, 1), none(features, 1);
    for (std::size_t j = 0; j < features; ++j) one[j][0] = static_cast<float>(at[j]);
    fitted.density->evaluate(one, none, value.data(), nullptr, nullptr, scratch.data());
    return value[0];
  }
};

// The exact sum with the fitted bandwidth.
double exact_kde(const Matrix& rows, std::span<const double> x, double h) {
  std::vector<double> e(rows.rows);
  double peak = -1e300, sum = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < features; ++j) e[i] -= (x[j] - rows[i][j]) * (x[j] - rows[i][j]);
    peak = std::max(peak, e[i] *= 0.5 / (h * h));
  }
  for (const double exponent : e)
    if (exponent > peak - 40) sum += std::exp(exponent - peak);
  return peak + std::log(sum / static_cast<double>(rows.rows)) -
         static_cast<double>(features) * (std::log(h) + 0.5 * std::log(2 * std::numbers::pi));
}

void measure_values(Trial& trial, Evaluation& evaluation, const Matrix& rows, const Matrix& held_out) {
  if (trial.name == "knn") return;
  std::vector<double> kappa(1);
  const bool exact = trial.name == "kde";
  if (exact) evaluation.fitted.density->curvature({}, std::vector<int>{0}, kappa);
  trial.mean = 0;
  trial.error = exact ? 0 : NAN;
  for (std::size_t i = 0; i < held_out.rows; ++i) {
    const double value = evaluation.log_density(held_out[i]);
    trial.mean += value / static_cast<double>(held_out.rows);
    if (exact)
      trial.error += std::abs(value - exact_kde(rows, held_out[i], 1 / std::sqrt(kappa[0]))) /
                     static_cast<double>(held_out.rows);
  }
}

void add_density(const std::string& kind, const char* name, const Matrix& rows, const Matrix& held_out,
                 std::vector<Trial>& trials) {
  Trial trial{kind, name, rows.rows};
  const double begin = cpu_seconds();
  FittedDensity fitted = fit_density(value_named<DensityKind>(name).value(), rows, {});
  trial.fit_seconds = cpu_seconds() - begin;
  trial.note = fitted.summary;
  trial.calls = lanes;
  const auto evaluation = std::make_shared<Evaluation>(std::move(fitted), held_out);
  measure_values(trial, *evaluation, rows, held_out);
  trial.once = [evaluation] { (*evaluation)(); };
  trials.push_back(trial);
  if (trial.name != "knn") return;
  trial.name = "gravity";
  trial.calls = 8;
  trial.once = [evaluation, &held_out] {
    std::vector<float> anchor(features);
    for (std::size_t i = 0; i < 8; ++i)
      evaluation->fitted.density->anchor(std::vector<float>(held_out[i].begin(), held_out[i].end()), anchor);
  };
  trials.push_back(trial);
}

void add_lof(const std::string& kind, const Matrix& rows, const Matrix& held_out,
             std::vector<Trial>& trials) {
  Trial trial{kind, "lof", rows.rows};
  const double begin = cpu_seconds();
  const auto lof = std::make_shared<Lof>(rows);
  trial.fit_seconds = cpu_seconds() - begin;
  trial.error = lof->search_error();
  trial.calls = 8;
  trial.once = [lof, &held_out] {
    for (std::size_t i = 0; i < 8; ++i) (*lof)(held_out[i]);
  };
  trials.push_back(trial);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void time_all(std::vector<Trial>& trials) {
  for (int run = -1; run < runs; ++run) {
    for (Trial& trial : trials) {
      const double begin = cpu_seconds();
      trial.once();
      if (run >= 0) trial.micros.push_back((cpu_seconds() - begin) * 1e6 / static_cast<double>(trial.calls));
    }
  }
}

void print(const std::vector<Trial>& trials, std::FILE* csv) {
  std::printf("%-9s %-8s %8s %9s %12s %8s %9s %9s\n", "data", "density", "n", "fit s", "us/gradient", "ratio",
              "error", "mean log q");
  for (const Trial& trial : trials) {
    const auto first = std::ranges::find_if(
        trials, [&](const Trial& t) { return t.data == trial.data && t.name == trial.name; });
    const double at = median(trial.micros), ratio = at / median(first->micros);
    std::printf("%-9s %-8s %8zu %9.2f %12.2f %8.2f %9.4f %9.2f  %s\n", trial.data.c_str(), trial.name.c_str(),
                trial.n, trial.fit_seconds, at, ratio, trial.error, trial.mean, trial.note.c_str());
    if (csv)
      std::fprintf(csv, "%s,%s,%zu,%g,%g,%g,%g,%g\n", trial.data.c_str(), trial.name.c_str(), trial.n,
                   trial.fit_seconds, at, ratio, trial.error, trial.mean);
  }
}

}  // namespace

int main(int count, char** arguments) {
  double most = 1e6;
  std::FILE* csv = nullptr;
  std::string only;
  for (int i = 1; i < count; ++i) {
    if (!std::strcmp(arguments[i], "--quick")) most = 1e5;
    if (!std::strcmp(arguments[i], "--csv") && i + 1 < count) csv = std::fopen(arguments[++i], "w");
    if (!std::strcmp(arguments[i], "--only") && i + 1 < count) only = arguments[++i];
  }
  if (csv) std::fprintf(csv, "data,density,n,fit_seconds,us_per_gradient,ratio,error,mean_log_q\n");
  for (const std::string kind : {"clusters", "factors"}) {
    const Matrix held_out = draw(kind, points, 99);
    std::vector<Trial> trials;
    for (double n = 1e3; n <= most; n *= 10) {
      const Matrix rows = draw(kind, static_cast<std::size_t>(n), 1);
      for (const char* name : {"kde", "knn", "gmm"})
        if (only.empty() || only == name) add_density(kind, name, rows, held_out, trials);
      if (only.empty() || only == "lof") add_lof(kind, rows, held_out, trials);
    }
    std::ranges::stable_sort(trials, {}, [](const Trial& t) { return t.name; });
    time_all(trials);
    print(trials, csv);
    std::fflush(stdout);
  }
  if (csv) std::fclose(csv);
  return 0;
}
