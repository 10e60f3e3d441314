// How large log q can get with few changes: an upper bound over the rows that differ from a factual x_f in at
// most m features, each within its limits. For a sum of products over features,
//
//     log q(x)  = log sum_k exp(w_k + sum_f t_kf(x))
//     gain_kf   = (max of t_kf over the values that feature f may take) - t_kf(x_f)  >= 0
//     log q(x) <= log sum_k exp(w_k + sum_f t_kf(x_f) + the m largest gains of component k)
//
// Each component may choose features of its own, so the bound is not sharp, but it is never below log q.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace scfe {

struct Reachable {
  std::span<const double> factual;  // x_f, by column
  std::span<const double> lo, hi;   // by column: lo <= x - x_f <= hi
  std::span<const std::size_t>
      first;                   // columns of feature f: first[f] .. first[f + 1] - 1; several: a category
  std::span<const char> free;  // by feature: true if its changes are not counted
  std::size_t changes = 0;     // m

  std::size_t features() const { return first.size() - 1; }
};

// t_kf at x_f, and the largest within reach.
struct ReachableTerm {
  double own = 0, most = 0;
};

// t = -1/2 sum over the feature's columns of ((x_j - mean_j) inverse_std_j)²; the arrays begin with the
// feature's first column.
template <class Number>
ReachableTerm gaussian_term(const Reachable& where, std::size_t feature, const Number* means,
                            const Number* inverse_stds) {
  ReachableTerm term;
  for (std::size_t j = where.first[feature]; j < where.first[feature + 1]; ++j, ++means, ++inverse_stds) {
    const double off = where.factual[j] - static_cast<double>(*means), inverse = *inverse_stds;
    const double nearest = std::clamp(-off, where.lo[j], where.hi[j]) + off;
    term.own -= 0.5 * (off * inverse) * (off * inverse);
    term.most -= 0.5 * (nearest * inverse) * (nearest * inverse);
  }
  return term;
}

// The bounds for at most 0, 1, ... where.changes changes. term(k, f) is a ReachableTerm.
template <class LogWeight, class Term>
std::vector<double> most_by_changes(const Reachable& where, std::size_t components, LogWeight log_weight,
                                    Term term) {
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
  const std::size_t most = std::min(where.changes, where.features());
  std::vector<Sum> sums(where.changes + 1);
  std::vector<double> gains(where.features());
  for (std::size_t k = 0; k < components; ++k) {
    double exponent = log_weight(k);
    for (std::size_t f = 0; f < where.features(); ++f) {
      const ReachableTerm at = term(k, f);
      exponent += where.free[f] ? at.most : at.own;
      gains[f] = where.free[f] ? 0 : at.most - at.own;
    }
    std::partial_sort(gains.begin(), gains.begin() + static_cast<std::ptrdiff_t>(most), gains.end(),
                      std::greater<>());
    sums[0].add(exponent);
    for (std::size_t changes = 1; changes < sums.size(); ++changes) {
      if (changes <= most) exponent += gains[changes - 1];
      sums[changes].add(exponent);
    }
  }
  std::vector<double> bounds;
  for (const Sum& sum : sums) bounds.push_back(sum.peak + std::log(sum.total));
  return bounds;
}

}  // namespace scfe
