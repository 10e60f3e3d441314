#include "plausibility/mixture/gmm.h"

#include "plausibility/mixture/mixture_fit.h"
#include "scfe/error.h"

namespace scfe {

Gmm::Gmm(const GaussianMixture& mixture, std::span<const double> scale, const kernel::Kernels& kernels)
    : features_(mixture.features()), kernels_(&kernels) {
  if (mixture.full) throw Error("covariances", "diagonal ones", "full ones");
  if (!scale.empty() && scale.size() != features_)
    throw Error("scale", std::to_string(features_) + " features", std::to_string(scale.size()));
  const Whitened whitened = whiten(mixture);
  log_weights_.assign(whitened.log_weights.begin(), whitened.log_weights.end());
  for (std::size_t k = 0; k < mixture.components(); ++k) {
    for (std::size_t j = 0; j < features_; ++j) {
      const double unit = scale.empty() ? 1 : scale[j];
      const double inverse = whitened.factors[k][j] * unit;
      means_.push_back(static_cast<float>(to_work_space(mixture.means[k][j], unit)));
      inverse_stds_.push_back(static_cast<float>(inverse));
      precisions_.push_back(inverse * inverse);
    }
  }
}

void Gmm::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block* weights,
                   float* scratch) const {
  const kernel::Mixture mixture{log_weights_.size(),  features_, means_.data(),
                                inverse_stds_.data(), false,     log_weights_.data()};
  const auto to = [](Block* block) {
    return block ? kernel::Mutable{block->data(), block->stride()} : kernel::Mutable{};
  };
  kernels_->mixture(mixture, {x.data(), x.stride()}, value, to(gradient), to(weights), scratch,
                    x.padded_lanes());
}

void Gmm::curvature(std::span<const float> weights, std::span<const int> support,
                    std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) {
    kappa[s] = 0;
    for (std::size_t k = 0; k < log_weights_.size(); ++k)
      kappa[s] += static_cast<double>(weights[k]) * precisions_[k * features_ + support[s]];
  }
}

std::optional<Separable> Gmm::separable(std::span<const float>) const {
  const std::size_t components = log_weights_.size();
  Separable terms;
  terms.log_weights.assign(log_weights_.begin(), log_weights_.end());
  for (std::size_t j = 0; j < features_; ++j)
    for (std::size_t k = 0; k < components; ++k) {
      terms.centres.push_back(means_[k * features_ + j]);
      terms.sharp.push_back(inverse_stds_[k * features_ + j]);
    }
  return terms;
}

void Gmm::save(ByteWriter& out) const {
  out.put(std::uint64_t{features_});
  out.put_list(means_);
  out.put_list(inverse_stds_);
  out.put_list(log_weights_);
  out.put_list(precisions_);
}

Gmm Gmm::load(ByteReader& in) {
  Gmm gmm(kernel::kernels());
  gmm.features_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  gmm.means_ = in.get_list<float>();
  gmm.inverse_stds_ = in.get_list<float>();
  gmm.log_weights_ = in.get_list<float>();
  gmm.precisions_ = in.get_list<double>();
  const std::size_t size = gmm.log_weights_.size() * gmm.features_;
  in.require(size > 0 && gmm.means_.size() == size && gmm.inverse_stds_.size() == size &&
                 gmm.precisions_.size() == size,
             "a mixture with features for each component", gmm.means_.size());
  return gmm;
}

FittedDensity fit_gmm(const Matrix& rows, const DensityOptions& options) {
  refuse_groups("gmm", options);
  MixtureFit fit = fit_mixture(rows, false, options);
  return {std::make_shared<Gmm>(fit.mixture, options.scale, chosen_kernels(options)), std::move(fit.held_out),
          "gmm: " + fit.summary};
}

}  // namespace scfe
