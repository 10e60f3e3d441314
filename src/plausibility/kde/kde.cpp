#include "plausibility/kde/kde.h"

#include <algorithm>
#include <cmath>

#include "scfe/error.h"

namespace scfe {

Kde::Kde(const Matrix& points, std::span<const double> inverse_bandwidth, double log_norm,
         const kernel::Kernels& kernels)
    : points_(points.values.begin(), points.values.end()),
      inverse_bandwidth_(inverse_bandwidth.begin(), inverse_bandwidth.end()),
      log_weights_(points.rows, static_cast<float>(-log_norm)),
      kernels_(&kernels) {
  if (inverse_bandwidth.size() != points.cols)
    throw Error("inverse_bandwidth", std::to_string(points.cols) + " features",
                std::to_string(inverse_bandwidth.size()));
  for (const double inverse : inverse_bandwidth) {
    if (!(inverse >= 0) || !std::isfinite(inverse))
      throw Error("inverse_bandwidth", "finite numbers of at least 0", std::to_string(inverse));
    kappa_.push_back(inverse * inverse);
  }
  prepare();
}

// The expanded square rounds by 1e-7 of its largest term, so it is used only if that is below a few hundred.
void Kde::prepare() {
  constexpr double largest_term = 500;
  const std::size_t d = features(), n = log_weights_.size();
  double term = 0;
  for (std::size_t j = 0; j < d; ++j) {
    float low = points_[j], high = points_[j];
    for (std::size_t i = 0; i < n; ++i) {
      low = std::min(low, points_[i * d + j]);
      high = std::max(high, points_[i * d + j]);
    }
    middle_.push_back((low + high) / 2);
    term += kappa_[j] * (high - low) / 2 * std::max({1.0F, std::abs(low), std::abs(high)});
  }
  if (!(term <= largest_term)) return;
  for (std::size_t i = 0; i < n; ++i) {
    double offset = log_weights_[i];
    for (std::size_t j = 0; j < d; ++j) {
      const double off_middle = static_cast<double>(points_[i * d + j]) - middle_[j];
      slopes_.push_back(static_cast<float>(kappa_[j] * off_middle));
      offset -= kappa_[j] * off_middle * (off_middle / 2 + middle_[j]);
    }
    offsets_.push_back(static_cast<float>(offset));
  }
}

void Kde::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*,
                   float* scratch) const {
  const kernel::Mutable to =
      gradient ? kernel::Mutable{gradient->data(), gradient->stride()} : kernel::Mutable{};
  const kernel::Mixture mixture{
      log_weights_.size(),
      features(),
      points_.data(),
      inverse_bandwidth_.data(),
      true,
      log_weights_.data(),
      {slopes_.empty() ? nullptr : slopes_.data(), offsets_.data(), middle_.data()}};
  kernels_->mixture(mixture, {x.data(), x.stride()}, value, to, {}, scratch, x.padded_lanes());
}

void Kde::curvature(std::span<const float>, std::span<const int> support, std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) kappa[s] = kappa_[support[s]];
}

std::optional<Separable> Kde::separable(std::span<const float>) const {
  const std::size_t d = features(), n = log_weights_.size();
  Separable terms;
  terms.log_weights.assign(log_weights_.begin(), log_weights_.end());
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      terms.centres.push_back(points_[i * d + j]);
      terms.sharp.push_back(inverse_bandwidth_[j]);
    }
  return terms;
}

void Kde::save(ByteWriter& out) const {
  out.put_list(points_);
  out.put_list(inverse_bandwidth_);
  out.put_list(log_weights_);
  out.put_list(kappa_);
}

Kde Kde::load(std::vector<float> points, ByteReader& in) {
  Kde kde(kernel::kernels());
  kde.points_ = std::move(points);
  kde.inverse_bandwidth_ = in.get_list<float>();
  kde.log_weights_ = in.get_list<float>();
  kde.kappa_ = in.get_list<double>();
  in.require(!kde.log_weights_.empty() && kde.kappa_.size() == kde.features() &&
                 kde.points_.size() == kde.log_weights_.size() * kde.features(),
             "a kernel density with features for each point", kde.points_.size());
  kde.prepare();
  return kde;
}

}  // namespace scfe
