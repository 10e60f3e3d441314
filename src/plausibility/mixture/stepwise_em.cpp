// Fits a mixture of Gaussians to many rows by mini-batches: stepwise EM (Cappé and Moulines, 2009).
//
//     s_t = (1 - eta_t) s_{t-1} + eta_t · mean over the batch of r_k (1, x, x x')      eta_t = (t + 10)^-0.7
//     pi_k, mu_k, Sigma_k follow from s_t as in EM's M step
//
// Starts from a mixture fitted to a sample and makes two passes over the rows in the given random order. Full
// EM would need tens of passes.
#include <algorithm>
#include <cmath>

#include "plausibility/mixture/em.h"

namespace scfe {
namespace {

constexpr std::size_t first_rows = 8000, batch_rows = 2000;
constexpr int passes = 2;
constexpr double decay = 0.7, delay = 10;
constexpr double least_share = 1e-10;  // a component with a smaller share is not updated

// Mean statistics over rows, relative to the mixture's mean: far from 0, squares would lose digits.
struct Moments {
  std::vector<double> share;  // of each component
  Matrix sum, square;         // component x feature; square shaped like the covariances

  explicit Moments(const GaussianMixture& m)
      : share(m.components()),
        sum(m.components(), m.features()),
        square(m.covariances.rows, m.covariances.cols) {}

  // this = keep · this + add · other
  void mix(double keep, const Moments& other, double add) {
    const auto each = [&](std::vector<double>& to, const std::vector<double>& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i] = keep * to[i] + add * from[i];
    };
    each(share, other.share);
    each(sum.values, other.sum.values);
    each(square.values, other.square.values);
  }
};

class Stepwise {
 public:
  Stepwise(const Matrix& rows, GaussianMixture start, const EmOptions& options)
      : rows_(&rows),
        options_(&options),
        mixture_(std::move(start)),
        middle_(rows.cols),
        mean_(mixture_),
        batch_(mixture_),
        shares_(mixture_.components()),
        at_(rows.cols) {
    for (std::size_t k = 0; k < mixture_.components(); ++k)
      for (std::size_t j = 0; j < middle_.size(); ++j)
        middle_[j] += mixture_.weights[k] * mixture_.means[k][j];
  }

  void step(std::span<const std::size_t> batch) {
    batch_.mix(0, batch_, 0);
    const Whitened whitened = whiten(mixture_);
    for (const std::size_t i : batch) add((*rows_)[i], whitened, 1.0 / static_cast<double>(batch.size()));
    // The first batch replaces the empty statistics entirely.
    const double eta = steps_ == 0 ? 1 : std::pow(static_cast<double>(steps_) + delay, -decay);
    ++steps_;
    mean_.mix(1 - eta, batch_, eta);
    maximise();
  }

  GaussianMixture mixture() && { return std::move(mixture_); }

 private:
  void add(std::span<const double> x, const Whitened& whitened, double weight) {
    const double log_q = log_density(mixture_, whitened, x, shares_);
    const std::size_t d = x.size();
    for (std::size_t j = 0; j < d; ++j) at_[j] = x[j] - middle_[j];
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      const double share = weight * std::exp(shares_[k] - log_q);
      if (share < weight * least_share) continue;
      batch_.share[k] += share;
      double* square = batch_.square.values.data() + k * mixture_.size();
      for (std::size_t j = 0; j < d; ++j) {
        const double part = share * at_[j];
        batch_.sum[k][j] += part;
        if (!mixture_.full)
          square[j] += part * at_[j];
        else
          for (std::size_t i = 0; i < d; ++i) square[j * d + i] += part * at_[i];
      }
    }
  }

  void maximise() {
    double total = 0;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      mixture_.weights[k] = std::max(mean_.share[k], least_share);
      total += mixture_.weights[k];
      if (mean_.share[k] > least_share) maximise(k);
    }
    for (double& weight : mixture_.weights) weight /= total;
  }

  void maximise(std::size_t k) {
    const std::size_t d = middle_.size();
    const std::span<double> covariance = mixture_.covariance(k);
    const double* square = mean_.square.values.data() + k * mixture_.size();
    const auto mean = [&](std::size_t j) { return mean_.sum[k][j] / mean_.share[k]; };
    for (std::size_t j = 0; j < d; ++j) {
      mixture_.means[k][j] = middle_[j] + mean(j);
      const double least = options_->least_variance[j];
      if (!mixture_.full) {
        covariance[j] = std::max(square[j] / mean_.share[k] - mean(j) * mean(j), least);
        continue;
      }
      for (std::size_t i = 0; i < d; ++i)
        covariance[j * d + i] = square[j * d + i] / mean_.share[k] - mean(j) * mean(i) + (i == j ? least : 0);
    }
  }

  const Matrix* rows_;
  const EmOptions* options_;
  GaussianMixture mixture_;
  std::vector<double> middle_;
  Moments mean_, batch_;
  std::vector<double> shares_, at_;
  std::size_t steps_ = 0;
};

}  // namespace

GaussianMixture refine_by_batches(const Matrix& rows, std::span<const std::size_t> order,
                                  GaussianMixture start, const EmOptions& options) {
  Stepwise stepwise(rows, std::move(start), options);
  stepwise.step(order.first(std::min(first_rows, order.size())));
  for (int pass = 0; pass < passes; ++pass)
    for (std::size_t first = 0; first < order.size(); first += batch_rows)
      stepwise.step(order.subspan(first, std::min(batch_rows, order.size() - first)));
  return std::move(stepwise).mixture();
}

}  // namespace scfe
