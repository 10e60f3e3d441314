#include "plausibility/kde/coded_kde.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/activation.h"

namespace scfe {

CodedKde::CodedKde(const MixedRows& rows, std::vector<int> numeric, std::span<const double> inverse_bandwidth,
                   double log_norm, const kernel::Kernels& kernels)
    : numeric_(std::move(numeric)),
      levels_(rows.levels),
      groups_(rows.groups),
      numbers_(rows.numeric.values.begin(), rows.numeric.values.end()),
      inverse_(inverse_bandwidth.begin(), inverse_bandwidth.end()),
      log_norm_(log_norm),
      kernels_(&kernels) {
  prepare();
}

void CodedKde::prepare() {
  for (const double inverse : inverse_) precision_.push_back(static_cast<float>(inverse * inverse));
}

std::size_t CodedKde::rows() const { return levels_.size() / groups_; }

void CodedKde::exponents(std::size_t row, const Block& x, float* e) const {
  const std::size_t lanes = x.padded_lanes(), d = numeric_.size();
  std::fill_n(e, lanes, 0.0F);
  for (std::size_t j = 0; j < d; ++j) {
    const auto column = static_cast<std::size_t>(numeric_[j]);
    const float centre = numbers_[row * d + j], half = 0.5F * precision_[column];
    const float* at = x[column];
    for (std::size_t l = 0; l < lanes; ++l) e[l] -= half * ((at[l] - centre) * (at[l] - centre));
  }
  for (std::size_t g = 0; g < groups_; ++g) {
    const auto column = static_cast<std::size_t>(levels_[row * groups_ + g]);
    const float precision = precision_[column];
    const float* at = x[column];
    for (std::size_t l = 0; l < lanes; ++l) e[l] += precision * (at[l] - 0.5F);
  }
}

void CodedKde::evaluate(const Block& x, const Block&, float* value, Block* gradient, Block*,
                        float* scratch) const {
  constexpr float lowest_exponent = -1e30F;  // keeps e_i - peak finite if the squares overflow
  const std::size_t lanes = x.padded_lanes(), count = rows(), d = numeric_.size();
  float *e = scratch, *peak = e + lanes, *total = peak + lanes, *ones = total + lanes;
  std::fill_n(peak, lanes, lowest_exponent);
  std::fill_n(total, lanes, 0.0F);
  std::fill_n(ones, lanes, 1.0F);
  for (std::size_t i = 0; i < count; ++i) {
    exponents(i, x, e);
    for (std::size_t l = 0; l < lanes; ++l) peak[l] = std::max(e[l], peak[l]);
  }
  if (gradient)
    for (std::size_t j = 0; j < features(); ++j) std::fill_n((*gradient)[j], lanes, 0.0F);
  for (std::size_t i = 0; i < count; ++i) {
    exponents(i, x, e);
    for (std::size_t l = 0; l < lanes; ++l) e[l] = std::max(e[l], lowest_exponent) - peak[l];
    kernels_->activate_gradient(kernel::activation_elu, 1.0F, e, ones, e, lanes);  // e^e
    for (std::size_t l = 0; l < lanes; ++l) total[l] += e[l];
    if (!gradient) continue;
    for (std::size_t j = 0; j < d; ++j) {
      float* to = (*gradient)[static_cast<std::size_t>(numeric_[j])];
      for (std::size_t l = 0; l < lanes; ++l) to[l] += e[l] * numbers_[i * d + j];
    }
    for (std::size_t g = 0; g < groups_; ++g) {
      float* to = (*gradient)[static_cast<std::size_t>(levels_[i * groups_ + g])];
      for (std::size_t l = 0; l < lanes; ++l) to[l] += e[l];
    }
  }
  for (std::size_t l = 0; l < lanes; ++l)
    value[l] = peak[l] + std::log(total[l]) - static_cast<float>(log_norm_);
  std::size_t number = 0;
  for (std::size_t j = 0; j < features(); ++j) {
    const float* at = x[j];
    const float precision = precision_[j];
    if (number < d && std::cmp_equal(numeric_[number], j))
      ++number;
    else
      for (std::size_t l = 0; l < lanes; ++l) value[l] -= 0.5F * precision * at[l] * at[l];
    if (!gradient) continue;
    float* to = (*gradient)[j];
    for (std::size_t l = 0; l < lanes; ++l) to[l] = precision * (to[l] / total[l] - at[l]);
  }
}

void CodedKde::curvature(std::span<const float>, std::span<const int> support,
                         std::span<double> kappa) const {
  for (std::size_t s = 0; s < support.size(); ++s) {
    const double inverse = inverse_[static_cast<std::size_t>(support[s])];
    kappa[s] = inverse * inverse;
  }
}

void CodedKde::save(ByteWriter& out) const {
  out.put_list(numeric_);
  out.put(std::uint64_t{groups_});
  out.put_list(levels_);
  out.put_list(numbers_);
  out.put_list(inverse_);
  out.put(log_norm_);
}

CodedKde CodedKde::load(ByteReader& in) {
  CodedKde kde(kernel::kernels());
  kde.numeric_ = in.get_list<int>();
  kde.groups_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  kde.levels_ = in.get_list<int>();
  kde.numbers_ = in.get_list<float>();
  kde.inverse_ = in.get_list<double>();
  kde.log_norm_ = in.get<double>();
  const auto is_column = [&](int j) { return j >= 0 && std::cmp_less(j, kde.inverse_.size()); };
  in.require(kde.groups_ > 0 && !kde.levels_.empty() && kde.levels_.size() % kde.groups_ == 0,
             "levels for each row", kde.levels_.size());
  in.require(kde.numbers_.size() == kde.rows() * kde.numeric_.size(), "numbers for each row",
             kde.numbers_.size());
  in.require(std::ranges::is_sorted(kde.numeric_) && std::ranges::all_of(kde.numeric_, is_column) &&
                 std::ranges::all_of(kde.levels_, is_column),
             "columns of numbers and levels", kde.numeric_.size());
  kde.prepare();
  return kde;
}

}  // namespace scfe
