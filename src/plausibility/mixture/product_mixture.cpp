#include "plausibility/mixture/product_mixture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/activation.h"
#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {
namespace {

constexpr float lowest_exponent = -1e30F;  // keeps e_k - peak finite if the squares overflow

kernel::Mutable whole(Block* block) {
  return block ? kernel::Mutable{block->data(), block->stride()} : kernel::Mutable{};
}

}  // namespace

ProductMixture::ProductMixture(const Products& products, std::span<const double> scale,
                               const kernel::Kernels& kernels)
    : features_(products.columns()), precisions_(products.components() * features_), kernels_(&kernels) {
  if (!scale.empty() && scale.size() != features_)
    throw Error("scale", std::to_string(features_) + " features", std::to_string(scale.size()));
  const Columns columns(products.group, features_);
  const std::vector<double> weights = scfe::log_weights(products);
  numeric_ = columns.numeric;
  log_weights_.assign(weights.begin(), weights.end());
  for (std::size_t k = 0; k < products.components(); ++k) {
    for (const int j : numeric_) {
      const double unit = scale.empty() ? 1 : scale[j];
      const double inverse = unit / std::sqrt(products.variances[k][j]);
      means_.push_back(static_cast<float>(to_work_space(products.means[k][j], unit)));
      inverse_stds_.push_back(static_cast<float>(inverse));
      precisions_[k * features_ + static_cast<std::size_t>(j)] = inverse * inverse;
    }
  }
  if (!columns.groups.empty())
    log_levels_.assign(products.log_levels.values.begin(), products.log_levels.values.end());
  prepare();
}

void ProductMixture::prepare() {
  const std::size_t components = log_weights_.size(), d = numeric_.size();
  if (log_levels_.empty()) return;
  slopes_.resize(components * features_);
  for (std::size_t i = 0; i < slopes_.size(); ++i)
    slopes_[i] = log_levels_[i % components * features_ + i / components];
  for (std::size_t j = 0; j < d; ++j) {
    const auto column = static_cast<std::size_t>(numeric_[j]);
    for (std::size_t k = 0; k < components; ++k) {
      const float mean = means_[k * d + j];
      const double precision = precisions_[k * features_ + column];
      numeric_means_.push_back(mean);
      numeric_precisions_.push_back(static_cast<float>(precision));
      half_precisions_.push_back(static_cast<float>(0.5 * precision));
      slopes_[column * components + k] = static_cast<float>(precision * mean);
    }
  }
}

std::size_t ProductMixture::scratch(std::size_t max_lanes) const {
  return padded(max_lanes) * (log_weights_.size() + std::max<std::size_t>(2, numeric_.size()));
}

void ProductMixture::evaluate_numbers(const Block& x, float* value, Block* gradient, Block* weights,
                                      float* scratch) const {
  const kernel::Mixture mixture{log_weights_.size(),  features_, means_.data(),
                                inverse_stds_.data(), false,     log_weights_.data()};
  kernels_->mixture(mixture, {x.data(), x.stride()}, value, whole(gradient), whole(weights), scratch,
                    x.padded_lanes());
}

void ProductMixture::exponents(const Block& x, float* e) const {
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size();
  kernels_->dense(components, features_, log_levels_.data(), log_weights_.data(), {x.data(), x.stride()},
                  {e, lanes}, lanes);
  const float *mean = numeric_means_.data(), *half = half_precisions_.data();
  for (const int j : numeric_) {
    const float* at = x[static_cast<std::size_t>(j)];
    // The loop over components is inside: otherwise each sum would have to wait for its previous addition.
    for (std::size_t k = 0; k < components; ++k, ++mean, ++half) {
      const float centre = *mean, by = *half;
      float* to = e + k * lanes;
      for (std::size_t l = 0; l < lanes; ++l) to[l] -= (at[l] - centre) * (at[l] - centre) * by;
    }
  }
}

void ProductMixture::normalise(float* e, float* value, std::size_t lanes, float* spare) const {
  const std::size_t size = log_weights_.size() * lanes;
  float *ones = spare, *total = spare + lanes;
  std::fill_n(ones, lanes, 1.0F);
  std::fill_n(total, lanes, 0.0F);
  std::fill_n(value, lanes, lowest_exponent);
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) value[l] = std::max(e[i + l], value[l]);
  for (std::size_t i = 0; i < size; i += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) e[i + l] = std::max(e[i + l], lowest_exponent) - value[l];
    kernels_->activate_gradient(kernel::activation_elu, 1.0F, e + i, ones, e + i, lanes);
    for (std::size_t l = 0; l < lanes; ++l) total[l] += e[i + l];
  }
  for (std::size_t l = 0; l < lanes; ++l) value[l] += std::log(total[l]);
  for (std::size_t l = 0; l < lanes; ++l) total[l] = 1 / total[l];
  for (std::size_t i = 0; i < size; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) e[i + l] *= total[l];
}

void ProductMixture::fill_gradient(const Block& x, const float* r, Block& gradient, float* spare) const {
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size(), d = numeric_.size();
  kernels_->dense(features_, components, slopes_.data(), nullptr, {r, lanes}, whole(&gradient), lanes);
  kernels_->dense(d, components, numeric_precisions_.data(), nullptr, {r, lanes}, {spare, lanes}, lanes);
  for (std::size_t j = 0; j < d; ++j) {
    const auto column = static_cast<std::size_t>(numeric_[j]);
    const float *at = x[column], *precision = spare + j * lanes;
    float* to = gradient[column];
    for (std::size_t l = 0; l < lanes; ++l) to[l] -= at[l] * precision[l];
  }
}

void ProductMixture::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block* weights,
                              float* scratch) const {
  if (log_levels_.empty()) return evaluate_numbers(x, value, gradient, weights, scratch);
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size();
  float *r = scratch, *spare = scratch + components * lanes;
  exponents(x, r);
  normalise(r, value, lanes, spare);
  if (weights)
    for (std::size_t k = 0; k < components; ++k) std::copy_n(r + k * lanes, lanes, (*weights)[k]);
  if (gradient) fill_gradient(x, r, *gradient, spare);
}

void ProductMixture::curvature(std::span<const float> weights, std::span<const int> support,
                               std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) {
    kappa[s] = 0;
    for (std::size_t k = 0; k < log_weights_.size(); ++k)
      kappa[s] += static_cast<double>(weights[k]) * precisions_[k * features_ + support[s]];
  }
}

std::optional<Separable> ProductMixture::separable(std::span<const float>) const {
  const std::size_t components = log_weights_.size(), d = numeric_.size();
  Separable terms;
  terms.log_weights.assign(log_weights_.begin(), log_weights_.end());
  terms.centres.resize(features_ * components);
  terms.sharp.resize(features_ * components);
  for (std::size_t n = 0; n < d; ++n)
    for (std::size_t k = 0; k < components; ++k) {
      const std::size_t at = static_cast<std::size_t>(numeric_[n]) * components + k;
      terms.centres[at] = means_[k * d + n];
      terms.sharp[at] = inverse_stds_[k * d + n];
    }
  if (log_levels_.empty()) return terms;
  terms.log_levels.resize(features_ * components);
  for (std::size_t i = 0; i < terms.log_levels.size(); ++i)
    terms.log_levels[i] = log_levels_[i % components * features_ + i / components];
  return terms;
}

void ProductMixture::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  out.put_list(numeric_);
  for (const std::vector<float>* part : {&means_, &inverse_stds_, &log_weights_, &log_levels_})
    out.put_list(*part);
  out.put_list(precisions_);
}

ProductMixture ProductMixture::load(ByteReader& in) {
  ProductMixture density(kernel::kernels());
  density.features_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  density.numeric_ = in.get_list<int>();
  for (std::vector<float>* part :
       {&density.means_, &density.inverse_stds_, &density.log_weights_, &density.log_levels_})
    *part = in.get_list<float>();
  density.precisions_ = in.get_list<double>();
  const std::size_t components = density.log_weights_.size(), numbers = density.numeric_.size();
  // Compares by division because a product of damaged numbers could overflow to a matching value.
  in.require(components > 0 && density.precisions_.size() % components == 0 &&
                 density.precisions_.size() / components == density.features_,
             "a mixture of products with columns for each component", density.features_);
  const std::size_t levels = numbers == density.features_ ? 0 : components * density.features_;
  in.require(density.means_.size() == components * numbers &&
                 density.inverse_stds_.size() == components * numbers && density.log_levels_.size() == levels,
             "a mixture of products with numbers for each column", density.means_.size());
  in.require(std::ranges::all_of(density.numeric_,
                                 [&](int j) { return j >= 0 && std::cmp_less(j, density.features_); }),
             "numeric columns among the columns", numbers);
  density.prepare();
  return density;
}

}  // namespace scfe
