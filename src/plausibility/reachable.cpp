#include "plausibility/reachable.h"

#include <functional>
#include <limits>

#include "actionability/factual.h"
#include "actionability/space.h"

namespace scfe {
namespace {

constexpr double lowest = -1e30;  // densities do not return less (mixtures, kernels: lowest_exponent)

double gaussian(float x, float centre, float sharp) {
  const double off = (static_cast<double>(x) - static_cast<double>(centre)) * static_cast<double>(sharp);
  return -0.5 * off * off;
}

}  // namespace

Reachable reachable(const Space& space, const Factual& row) {
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  Reachable where{row.factual, row.lo, row.hi, {}, {}, {}};
  for (std::size_t f = 0; f < space.features(); ++f) {
    const std::size_t begin = space.first(f);
    where.first.push_back(begin);
    where.category.push_back(space.is_category(f) ? 1 : 0);
    where.free.push_back(space.is_derived(f) ? 1 : 0);
    for (std::size_t j = begin; j < begin + space.width(f); ++j) {
      if (space.is_derived(f)) {
        where.lo[j] = -anywhere;
        where.hi[j] = anywhere;
      } else if (space.is_category(f)) {
        where.hi[j] = 0;
      }
    }
    if (space.is_derived(f) || !space.is_category(f)) continue;
    for (const int level : row.levels[f]) where.hi[begin + static_cast<std::size_t>(level)] = 1;
  }
  where.first.push_back(space.columns());
  return where;
}

ReachableDensity::ReachableDensity(Separable density, const Reachable& where)
    : density_(std::move(density)),
      first_(where.first.begin(), where.first.end()),
      category_(where.category),
      factual_(where.factual.begin(), where.factual.end()),
      limits_(where.features()),
      levels_(where.features()),
      free_(where.free),
      own_(density_.log_weights),
      rest_(density_.components()),
      exponents_(density_.components()) {
  density_.log_levels.resize(density_.centres.size());
  for (std::size_t f = 0; f < where.features(); ++f) {
    const std::size_t begin = first_[f];
    if (category_[f]) {
      fold_category(where, f);
    } else {
      limits_[f].lo = static_cast<float>(where.factual[begin] + where.lo[begin]);
      limits_[f].hi = static_cast<float>(where.factual[begin] + where.hi[begin]);
    }
  }
  for (std::size_t k = 0; k < own_.size(); ++k)
    for (std::size_t f = 0; f < where.features(); ++f) own_[k] += free_[f] ? most_term(k, f) : own_term(k, f);
}

// Of a category, one column is 1 and the others are 0. What all columns give at 0 becomes a part of the
// weights; what a level adds to that is its term.
void ReachableDensity::fold_category(const Reachable& where, std::size_t feature) {
  const std::size_t components = density_.components();
  for (std::uint32_t j = first_[feature]; j < first_[feature + 1]; ++j) {
    for (std::size_t k = 0; k < components; ++k) {
      const std::size_t at = j * components + k;
      const double absent = gaussian(0, density_.centres[at], density_.sharp[at]),
                   present = gaussian(1, density_.centres[at], density_.sharp[at]);
      own_[k] += absent;
      density_.log_levels[at] += static_cast<float>(present - absent);
    }
    if (where.factual[j] == 1 || where.hi[j] > 0) levels_[feature].push_back(j);
  }
  limits_[feature].columns = levels_[feature];
}

double ReachableDensity::own_term(std::size_t component, std::size_t feature) const {
  const std::size_t components = density_.components();
  if (!category_[feature]) {
    const std::size_t at = first_[feature] * components + component;
    return gaussian(factual_[first_[feature]], density_.centres[at], density_.sharp[at]);
  }
  for (std::size_t j = first_[feature]; j < first_[feature + 1]; ++j)
    if (factual_[j] == 1) return density_.log_levels[j * components + component];
  return std::numeric_limits<double>::quiet_NaN();
}

double ReachableDensity::most_term(std::size_t component, std::size_t feature) const {
  const std::size_t components = density_.components();
  const Side& side = limits_[feature];
  if (!category_[feature]) {
    const std::size_t at = first_[feature] * components + component;
    return gaussian(std::clamp(density_.centres[at], side.lo, side.hi), density_.centres[at],
                    density_.sharp[at]);
  }
  double most = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t j : side.columns)
    most = std::max<double>(most, density_.log_levels[j * components + component]);
  return most;
}

double ReachableDensity::formed(double log_sum) const {
  const double bounded = std::isnan(log_sum) ? log_sum : std::max(log_sum, lowest);
  return density_.form == nullptr ? bounded : density_.form(bounded);
}

std::vector<double> ReachableDensity::by_changes(std::size_t most_changes) const {
  struct Sum {
    double peak = -std::numeric_limits<double>::infinity(), total = 0;

    void add(double exponent) {
      if (exponent > peak) {
        total = total * std::exp(peak - exponent) + 1;
        peak = exponent;
      } else {
        total += std::exp(exponent - peak);
      }
    }
  };
  const std::size_t features = free_.size(), most = std::min(most_changes, features);
  std::vector<Sum> sums(most_changes + 1);
  std::vector<double> gains(features);
  for (std::size_t k = 0; k < own_.size(); ++k) {
    double exponent = own_[k];
    for (std::size_t f = 0; f < features; ++f)
      gains[f] = free_[f] ? 0 : std::max(0.0, most_term(k, f) - own_term(k, f));
    std::partial_sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(most), gains.end(),
                      std::greater<>());
    sums[0].add(exponent);
    for (std::size_t changes = 1; changes < sums.size(); ++changes) {
      if (changes <= most) exponent += gains[changes - 1];
      sums[changes].add(exponent);
    }
  }
  std::vector<double> bounds;
  for (const Sum& sum : sums) bounds.push_back(formed(sum.peak + std::log(sum.total)));
  return bounds;
}

void ReachableDensity::set_support(std::span<const std::uint16_t> features) {
  support_.assign(features.begin(), features.end());
  for (std::size_t k = 0; k < own_.size(); ++k) {
    double rest = own_[k];
    for (const std::uint16_t f : support_) rest -= own_term(k, f);
    rest_[k] = static_cast<float>(rest);
  }
}

void ReachableDensity::sum(std::span<const Side> sides) {
  const std::size_t components = density_.components();
  std::ranges::copy(rest_, exponents_.begin());
  float* e = exponents_.data();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& side = sides[i];
    const std::size_t f = support_[i];
    if (category_[f]) {
      for (std::size_t k = 0; k < components; ++k) {
        float best = -std::numeric_limits<float>::infinity();
        for (const std::uint32_t j : side.columns)
          best = std::max(best, density_.log_levels[j * components + k]);
        e[k] += best;
      }
      continue;
    }
    const float *centre = density_.centres.data() + first_[f] * components,
                *sharp = density_.sharp.data() + first_[f] * components;
    for (std::size_t k = 0; k < components; ++k) {
      const float off = (std::min(std::max(centre[k], side.lo), side.hi) - centre[k]) * sharp[k];
      e[k] -= 0.5F * off * off;
    }
  }
}

double ReachableDensity::peak() const {
  float peak = -std::numeric_limits<float>::infinity();
  bool known = true;
  for (const float e : exponents_) {
    peak = std::max(peak, e);
    known = known && !std::isnan(e);
  }
  return known ? peak : std::numeric_limits<double>::quiet_NaN();
}

double ReachableDensity::log_sum() const {
  constexpr double negligible = -30;
  const double largest = peak();
  if (!std::isfinite(largest)) return largest;
  double total = 0;
  for (const float e : exponents_) {
    const double below = static_cast<double>(e) - largest;
    total += below < negligible ? std::exp(negligible) : std::exp(below);
  }
  return largest + std::log(total);
}

double ReachableDensity::most(std::span<const Side> sides) {
  sum(sides);
  return formed(log_sum());
}

double ReachableDensity::most() {
  sides_.clear();
  for (const std::uint16_t f : support_) sides_.push_back(limits_[f]);
  return most(sides_);
}

// The largest exponent alone often decides.
bool ReachableDensity::may_reach(std::span<const Side> sides, double least) {
  const auto reaches = [&](double log_sum) {
    const double bound = formed(log_sum);
    return !(bound + rounding(bound) < least);
  };
  sum(sides);
  const double largest = peak(), spread = std::log(static_cast<double>(exponents_.size()));
  if (reaches(largest)) return true;
  return reaches(largest + spread) && reaches(log_sum());
}

}  // namespace scfe
