#include "plausibility/mixture/gmm_full.h"

#include <algorithm>
#include <cmath>

#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {
namespace {

std::vector<double> mixture_mean(const GaussianMixture& mixture) {
  std::vector<double> mean(mixture.features());
  for (std::size_t k = 0; k < mixture.components(); ++k)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += mixture.weights[k] * mixture.means[k][j];
  return mean;
}

}  // namespace

GmmFull::GmmFull(const GaussianMixture& mixture, std::span<const double> scale,
                 const kernel::Kernels& kernels)
    : features_(mixture.features()), kernels_(&kernels) {
  if (!mixture.full) throw Error("covariances", "full ones", "diagonal ones");
  if (!scale.empty() && scale.size() != features_)
    throw Error("scale", std::to_string(features_) + " features", std::to_string(scale.size()));
  const std::size_t d = features_, n = mixture.components();
  const Whitened whitened = whiten(mixture);
  log_weights_.assign(whitened.log_weights.begin(), whitened.log_weights.end());
  const std::vector<double> mean = mixture_mean(mixture);
  std::vector<double> unit(scale.begin(), scale.end());
  if (scale.empty()) unit.assign(d, 1.0);
  for (std::size_t j = 0; j < d; ++j) centre_.push_back(static_cast<float>(to_work_space(mean[j], unit[j])));
  forward_.resize(n * d * d);
  backward_.resize(n * d * d);
  bias_.resize(n * d);
  zeros_.resize(d);
  precisions_.resize(n * d * d);
  for (std::size_t k = 0; k < n; ++k) place(k, mixture.part(whitened.factors, k), mixture.means[k], unit);
}

void GmmFull::place(std::size_t k, std::span<const double> a, std::span<const double> mean,
                    std::span<const double> unit) {
  const std::size_t d = features_, n = log_weights_.size();
  for (std::size_t i = 0; i < d; ++i) {
    double bias = 0;
    for (std::size_t j = 0; j < d; ++j) {
      // Uses the centre after its rounding to float; otherwise the shift would not cancel.
      bias += a[i * d + j] * (static_cast<double>(centre_[j]) * unit[j] - mean[j]);
      const auto factor = static_cast<float>(a[i * d + j] * unit[j]);
      forward_[(k * d + i) * d + j] = factor;
      backward_[j * n * d + k * d + i] = factor;
      double precision = 0;
      for (std::size_t row = 0; row < d; ++row) precision += a[row * d + i] * a[row * d + j];
      precisions_[(k * d + i) * d + j] = std::abs(precision * unit[i] * unit[j]);
    }
    bias_[k * d + i] = static_cast<float>(bias);
  }
}

std::size_t GmmFull::scratch(std::size_t max_lanes) const {
  return padded(max_lanes) * (features_ + log_weights_.size() * (features_ + 1));
}

void GmmFull::exponents(const float* y, std::size_t lanes, float* e) const {
  for (std::size_t k = 0; k < log_weights_.size(); ++k) {
    float* to = e + k * lanes;
    std::fill_n(to, lanes, 0.0F);
    for (std::size_t i = 0; i < features_; ++i) {
      const float* from = y + (k * features_ + i) * lanes;
      for (std::size_t l = 0; l < lanes; ++l) to[l] += from[l] * from[l];
    }
    for (std::size_t l = 0; l < lanes; ++l) to[l] = log_weights_[k] - 0.5F * to[l];
  }
}

void GmmFull::normalise(float* e, float* value, std::size_t lanes) const {
  const std::size_t n = log_weights_.size();
  for (std::size_t l = 0; l < lanes; ++l) {
    float peak = e[l], total = 0;
    for (std::size_t k = 1; k < n; ++k) peak = std::max(peak, e[k * lanes + l]);
    for (std::size_t k = 0; k < n; ++k) total += e[k * lanes + l] = std::exp(e[k * lanes + l] - peak);
    for (std::size_t k = 0; k < n; ++k) e[k * lanes + l] /= total;
    value[l] = peak + std::log(total);
  }
}

void GmmFull::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block* weights,
                       float* scratch) const {
  const std::size_t lanes = x.padded_lanes(), d = features_, n = log_weights_.size();
  float *shifted = scratch, *y = shifted + d * lanes, *r = y + n * d * lanes;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t l = 0; l < lanes; ++l) shifted[j * lanes + l] = x[j][l] - centre_[j];
  kernels_->dense(n * d, d, forward_.data(), bias_.data(), {shifted, lanes}, {y, lanes}, lanes);
  exponents(y, lanes, r);
  normalise(r, value, lanes);
  if (weights)
    for (std::size_t k = 0; k < n; ++k) std::copy_n(r + k * lanes, lanes, (*weights)[k]);
  if (!gradient) return;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t l = 0; l < lanes; ++l) y[(k * d + i) * lanes + l] *= -r[k * lanes + l];
  kernels_->dense(d, n * d, backward_.data(), zeros_.data(), {y, lanes},
                  {gradient->data(), gradient->stride()}, lanes);
}

void GmmFull::curvature(std::span<const float> weights, std::span<const int> support,
                        std::span<double> kappa) const {
  std::fill_n(kappa.begin(), support.size(), 0.0);
  for (std::size_t k = 0; k < log_weights_.size(); ++k) {
    const double* precision = precisions_.data() + k * features_ * features_;
    for (std::size_t s = 0; s < support.size(); ++s)
      for (const int i : support)
        kappa[s] += static_cast<double>(weights[k]) * precision[i * features_ + support[s]];
  }
}

void GmmFull::save(ByteWriter& out) const {
  for (const std::vector<float>* part : {&centre_, &forward_, &bias_, &backward_, &log_weights_})
    out.put_list(*part);
  out.put_list(precisions_);
}

GmmFull GmmFull::load(ByteReader& in) {
  GmmFull gmm(kernel::kernels());
  for (std::vector<float>* part :
       {&gmm.centre_, &gmm.forward_, &gmm.bias_, &gmm.backward_, &gmm.log_weights_})
    *part = in.get_list<float>();
  gmm.precisions_ = in.get_list<double>();
  gmm.features_ = gmm.centre_.size();
  gmm.zeros_.resize(gmm.features_);
  const std::size_t vectors = gmm.log_weights_.size() * gmm.features_, squares = vectors * gmm.features_;
  in.require(squares > 0 && gmm.bias_.size() == vectors && gmm.forward_.size() == squares &&
                 gmm.backward_.size() == squares && gmm.precisions_.size() == squares,
             "a mixture with a square for each component", gmm.forward_.size());
  return gmm;
}

FittedDensity fit_gmm_full(const Matrix& rows, const DensityOptions& options) {
  refuse_groups("gmm_full", options);
  MixtureFit fit = fit_mixture(rows, true, options);
  return {std::make_shared<GmmFull>(fit.mixture, options.scale, chosen_kernels(options)),
          std::move(fit.held_out), "gmm_full: " + fit.summary};
}

}  // namespace scfe
