#include "plausibility/product_mixture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/activation.h"
#include "plausibility/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {
namespace {

constexpr float lowest_exponent = -1e30F;  // keeps e_k - peak a number where the squares overflow

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
  transpose_levels();
}

void ProductMixture::transpose_levels() {
  const std::size_t components = log_weights_.size();
  level_slopes_.resize(log_levels_.size());
  for (std::size_t i = 0; i < log_levels_.size(); ++i)
    level_slopes_[i % features_ * components + i / features_] = log_levels_[i];
}

std::size_t ProductMixture::scratch(std::size_t max_lanes) const {
  return log_levels_.empty() ? lane_step * log_weights_.size()
                             : padded(max_lanes) * (log_weights_.size() + 2);
}

void ProductMixture::anchor(std::span<const float>, std::span<float> anchor) const {
  std::ranges::fill(anchor, 0.0F);
}

void ProductMixture::evaluate_numbers(const Block& x, float* value, Block* gradient, Block* weights,
                                      float* scratch) const {
  const kernel::Mixture mixture{log_weights_.size(),  features_, means_.data(),
                                inverse_stds_.data(), false,     log_weights_.data()};
  kernels_->mixture(mixture, {x.data(), x.stride()}, value, whole(gradient), whole(weights), scratch,
                    x.padded_lanes());
}

void ProductMixture::exponents(const Block& x, float* e) const {
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size(), d = numeric_.size();
  kernels_->dense(components, features_, log_levels_.data(), log_weights_.data(), {x.data(), x.stride()},
                  {e, lanes}, lanes);
  for (std::size_t first = 0; first < lanes; first += lane_step) {
    for (std::size_t k = 0; k < components; ++k) {
      float squares[lane_step] = {};
      for (std::size_t j = 0; j < d; ++j) {
        const float* at = x[static_cast<std::size_t>(numeric_[j])] + first;
        const float mean = means_[k * d + j], inverse = inverse_stds_[k * d + j];
        for (std::size_t l = 0; l < lane_step; ++l) {
          const float distance = (at[l] - mean) * inverse;
          squares[l] += distance * distance;
        }
      }
      float* to = e + k * lanes + first;
      for (std::size_t l = 0; l < lane_step; ++l)
        to[l] = std::max(to[l] - 0.5F * squares[l], lowest_exponent);
    }
  }
}

void ProductMixture::normalise(float* e, float* value, std::size_t lanes, float* spare) const {
  const std::size_t components = log_weights_.size();
  float *ones = spare, *total = spare + lanes;
  std::fill_n(ones, lanes, 1.0F);
  std::fill_n(total, lanes, 0.0F);
  std::copy_n(e, lanes, value);
  for (std::size_t k = 1; k < components; ++k)
    for (std::size_t l = 0; l < lanes; ++l) value[l] = std::max(value[l], e[k * lanes + l]);
  for (std::size_t k = 0; k < components; ++k) {
    float* part = e + k * lanes;
    for (std::size_t l = 0; l < lanes; ++l) part[l] -= value[l];
    kernels_->activate_gradient(kernel::activation_elu, 1.0F, part, ones, part, lanes);
    for (std::size_t l = 0; l < lanes; ++l) total[l] += part[l];
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    value[l] += std::log(total[l]);
    total[l] = 1 / total[l];
  }
  for (std::size_t k = 0; k < components; ++k)
    for (std::size_t l = 0; l < lanes; ++l) e[k * lanes + l] *= total[l];
}

void ProductMixture::fill_gradient(const Block& x, const float* r, Block& gradient) const {
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size(), d = numeric_.size();
  kernels_->dense(features_, components, level_slopes_.data(), nullptr, {r, lanes}, whole(&gradient), lanes);
  for (std::size_t j = 0; j < d; ++j) {
    const float* at = x[static_cast<std::size_t>(numeric_[j])];
    float* to = gradient[static_cast<std::size_t>(numeric_[j])];
    std::fill_n(to, lanes, 0.0F);
    for (std::size_t k = 0; k < components; ++k) {
      const float mean = means_[k * d + j], inverse = inverse_stds_[k * d + j], curvature = inverse * inverse;
      for (std::size_t l = 0; l < lanes; ++l) to[l] += r[k * lanes + l] * ((mean - at[l]) * curvature);
    }
  }
}

void ProductMixture::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block* weights,
                              float* scratch) const {
  if (log_levels_.empty()) return evaluate_numbers(x, value, gradient, weights, scratch);
  const std::size_t lanes = x.padded_lanes(), components = log_weights_.size();
  exponents(x, scratch);
  normalise(scratch, value, lanes, scratch + components * lanes);
  if (weights)
    for (std::size_t k = 0; k < components; ++k) std::copy_n(scratch + k * lanes, lanes, (*weights)[k]);
  if (gradient) fill_gradient(x, scratch, *gradient);
}

void ProductMixture::curvature(std::span<const float> weights, std::span<const int> support,
                               std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) {
    kappa[s] = 0;
    for (std::size_t k = 0; k < log_weights_.size(); ++k)
      kappa[s] += static_cast<double>(weights[k]) * precisions_[k * features_ + support[s]];
  }
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
  const std::size_t levels = numbers == density.features_ ? 0 : components * density.features_;
  in.require(components > 0 && density.precisions_.size() == components * density.features_ &&
                 density.means_.size() == components * numbers &&
                 density.inverse_stds_.size() == components * numbers && density.log_levels_.size() == levels,
             "a mixture of products with columns for each component", density.means_.size());
  in.require(std::ranges::all_of(density.numeric_,
                                 [&](int j) { return j >= 0 && std::cmp_less(j, density.features_); }),
             "numeric columns among the columns", numbers);
  density.transpose_levels();
  return density;
}

}  // namespace scfe
