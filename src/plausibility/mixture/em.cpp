#include "plausibility/mixture/em.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plausibility/mixture/kmeans.h"

namespace scfe {
namespace {

constexpr int short_run = 25, long_run = 300;
constexpr std::size_t finalists = 3;
constexpr double negligible_share = 1e-16;  // of a row; below double precision

// Small loops of their own so that the compiler vectorises them.
void add_scaled(std::span<const double> x, double share, std::span<double> sum) {
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += share * x[j];
}
void add_variance(std::span<const double> x, std::span<const double> mean, double share,
                  std::span<double> variance) {
  for (std::size_t j = 0; j < variance.size(); ++j)
    variance[j] += share * (x[j] - mean[j]) * (x[j] - mean[j]);
}
void add_covariance(std::span<const double> difference, double share, std::span<double> covariance) {
  const std::size_t d = difference.size();
  for (std::size_t i = 0; i < d; ++i)
    add_scaled(difference, share * difference[i], covariance.subspan(i * d, d));
}

void apply_floor(const std::vector<double>& least, bool full, std::span<double> covariance) {
  for (std::size_t j = 0; j < least.size(); ++j) {
    if (full)
      covariance[j * least.size() + j] += least[j];
    else
      covariance[j] = std::max(covariance[j], least[j]);
  }
}

class Em {
 public:
  Em(const Matrix& rows, std::size_t components, const EmOptions& options)
      : rows_(&rows), options_(&options), shares_(rows.rows, components), difference_(rows.cols) {
    mixture_.full = options.full;
    mixture_.weights.assign(components, 1.0 / static_cast<double>(components));
    mixture_.means = Matrix(components, rows.cols);
    mixture_.covariances = Matrix(options.full ? components * rows.cols : components, rows.cols);
    for (std::size_t k = 0; k < components; ++k) {
      std::ranges::copy(rows[0], mixture_.means[k].begin());
      apply_floor(options.least_variance, options.full, mixture_.covariance(k));
    }
  }

  void start(const std::vector<std::size_t>& cluster) {
    std::ranges::fill(shares_.values, 0.0);
    for (std::size_t i = 0; i < cluster.size(); ++i) shares_[i][cluster[i]] = 1;
    maximise();
  }

  // At most `rounds` rounds; stops early once the likelihood hardly grows.
  void run(int rounds) {
    double before = -std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
      log_likelihood_ = expect();
      if (log_likelihood_ - before < em_tolerance * static_cast<double>(rows_->rows)) return;
      before = log_likelihood_;
      maximise();
    }
    log_likelihood_ = expect();
  }

  EmFit fit() const { return {mixture_, log_likelihood_}; }
  double log_likelihood() const { return log_likelihood_; }

 private:
  double expect() {
    const Whitened whitened = whiten(mixture_);
    double total = 0;
    for (std::size_t i = 0; i < rows_->rows; ++i) {
      const double log_q = log_density(mixture_, whitened, (*rows_)[i], shares_[i]);
      for (double& e : shares_[i]) e = std::exp(e - log_q);
      total += log_q;
    }
    return total;
  }

  void maximise() {
    double total = 0;
    for (std::size_t k = 0; k < mixture_.components(); ++k) {
      double count = 0;
      for (std::size_t i = 0; i < rows_->rows; ++i) count += shares_[i][k];
      mixture_.weights[k] = std::max(count, empty_component);
      total += mixture_.weights[k];
      if (count > empty_component) maximise(k, count);
    }
    for (double& weight : mixture_.weights) weight /= total;
  }

  void maximise(std::size_t k, double count) {
    const std::span<double> mean = mixture_.means[k], covariance = mixture_.covariance(k);
    std::ranges::fill(mean, 0.0);
    std::ranges::fill(covariance, 0.0);
    const auto each = [&](const auto& add) {
      for (std::size_t i = 0; i < rows_->rows; ++i)
        if (shares_[i][k] > negligible_share) add((*rows_)[i], shares_[i][k] / count);
    };
    each([&](std::span<const double> x, double share) { add_scaled(x, share, mean); });
    each([&](std::span<const double> x, double share) {
      if (!options_->full) return add_variance(x, mean, share, covariance);
      for (std::size_t j = 0; j < mean.size(); ++j) difference_[j] = x[j] - mean[j];
      add_covariance(difference_, share, covariance);
    });
    apply_floor(options_->least_variance, options_->full, covariance);
  }

  const Matrix* rows_;
  const EmOptions* options_;
  GaussianMixture mixture_;
  Matrix shares_;  // r_ik
  std::vector<double> difference_;
  double log_likelihood_ = -std::numeric_limits<double>::infinity();
};

// With few rows there are many local optima and rounds are cheap: as many starts as about a second allows.
std::size_t affordable_starts(const Matrix& rows, std::size_t components, const EmOptions& options) {
  constexpr double budget = 1e9, least = 5;
  const auto d = static_cast<double>(rows.cols);
  const double round = static_cast<double>(rows.rows * components) * d * (options.full ? d : 1);
  const double affordable = std::max(least, budget / (short_run * round));
  return static_cast<std::size_t>(std::min(affordable, static_cast<double>(options.starts)));
}

}  // namespace

EmFit fit_em(const Matrix& rows, std::size_t components, const EmOptions& options) {
  Random random(options.seed);
  // A single component has only one optimum.
  std::vector<Em> trials(components == 1 ? 1 : affordable_starts(rows, components, options),
                         Em(rows, components, options));
  for (Em& trial : trials) {
    trial.start(kmeans(rows, components, random));
    trial.run(short_run);
  }
  const auto better = [](const Em& a, const Em& b) { return a.log_likelihood() > b.log_likelihood(); };
  std::ranges::stable_sort(trials, better);
  trials.erase(trials.begin() + static_cast<std::ptrdiff_t>(std::min(finalists, trials.size())),
               trials.end());
  for (Em& trial : trials) trial.run(long_run);
  return std::ranges::min_element(trials, better)->fit();
}

}  // namespace scfe
