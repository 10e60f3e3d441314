// Several cuts at once: which of them are the same, which cannot be met, and the multipliers of those that
// bind.
#include <algorithm>
#include <cmath>

#include "solver/search/qp.h"

namespace scfe {
namespace {

// Solves by Cholesky, in place, from the lower half of the matrix. False if a pivot is nearly zero.
bool solve_symmetric(std::span<double> matrix, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = matrix[r * n + c];
      const double size = sum;
      for (std::size_t k = 0; k < c; ++k) sum -= matrix[r * n + k] * matrix[c * n + k];
      if (c < r) {
        matrix[r * n + c] = sum / matrix[c * n + c];
      } else {
        if (!(sum > 1e-12 * size)) return false;
        matrix[r * n + r] = std::sqrt(sum);
      }
    }
    for (std::size_t k = 0; k < r; ++k) x[r] -= matrix[r * n + k] * x[k];
    x[r] /= matrix[r * n + r];
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) x[r] -= matrix[k * n + r] * x[k];
    x[r] /= matrix[r * n + r];
  }
  return true;
}

}  // namespace

// A network that is linear between two iterates gives the same cut twice; only the tighter bound is kept.
void Qp::merge_parallel_cuts() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::span<const double> a = cut(i);
    const auto alike = [&](std::size_t k) {
      double apart = 0, size = 0;
      for (std::size_t j = 0; j < size_; ++j) {
        apart = std::max(apart, std::abs(a[j] - cut(k)[j]));
        size = std::max(size, std::abs(a[j]));
      }
      return apart <= 1e-12 * size;  // a larger tolerance could cut off feasible points
    };
    std::size_t k = 0;
    while (k < kept && !alike(k)) ++k;
    if (k < kept) {
      bound_[k] = std::max(bound_[k], bound_[i]);
      continue;
    }
    std::copy(a.begin(), a.end(), cut(kept).begin());
    bound_[kept++] = bound_[i];
  }
  count_ = kept;
}

// True if some cut holds nowhere in the box.
bool Qp::has_cut_out_of_reach() const {
  for (std::size_t i = 0; i < count_; ++i) {
    double most = 0;
    for (std::size_t j = 0; j < size_; ++j) most += std::max(cut(i)[j] * lo[j], cut(i)[j] * hi[j]);
    if (most < bound_[i]) return true;
  }
  return false;
}

// The optimality conditions: every cut holds, and those with a positive multiplier hold with equality.
bool Qp::is_solved() const {
  for (std::size_t i = 0; i < count_; ++i) {
    double size = std::abs(bound_[i]);
    for (std::size_t j = 0; j < size_; ++j) size += std::abs(cut(i)[j] * s_[j]);
    const double lack = bound_[i] - reached(i);
    if (lambda_[i] < 0 || lack > 1e-10 * size || (lambda_[i] > 0 && lack < -1e-10 * size)) return false;
  }
  return true;
}

// The step of the binding cuts' multipliers that makes these cuts hold with equality, as long as the same
// coordinates stay at the sides of the box: A D^-1 A' step = lack over the free coordinates.
bool Qp::step_of_binding() {
  const std::size_t n = binding_.size();
  for (std::size_t r = 0; r < n; ++r) {
    step_[r] = bound_[binding_[r]] - reached(binding_[r]);
    for (std::size_t c = 0; c <= r; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < size_; ++j)
        if (is_free(j)) sum += cut(binding_[r])[j] * cut(binding_[c])[j] * give_[j];
      system_[r * n + c] = sum;
    }
  }
  return solve_symmetric({system_.data(), n * n}, {step_.data(), n});
}

void Qp::move_multiplier(std::size_t i, double by) {
  lambda_[i] += by;
  for (std::size_t j = 0; j < size_; ++j) pull_[j] += by * cut(i)[j];
}

// Assumes that the cuts with positive multipliers bind, and drops those whose multiplier would become
// negative. Returns false and changes nothing if that does not solve the problem.
bool Qp::solve_binding() {
  std::copy_n(lambda_.begin(), count_, swept_.begin());
  binding_.clear();
  for (std::size_t i = 0; i < count_; ++i)
    if (lambda_[i] > 0) binding_.push_back(i);
  while (!binding_.empty() && step_of_binding()) {
    bool lets_go = false;
    for (std::size_t r = binding_.size(); r-- > 0;) {
      const std::size_t i = binding_[r];
      const bool below = lambda_[i] + step_[r] < 0;
      move_multiplier(i, below ? -lambda_[i] : step_[r]);
      if (below) {
        lambda_[i] = 0;
        binding_.erase(binding_.begin() + static_cast<std::ptrdiff_t>(r));
      }
      lets_go = lets_go || below;
    }
    for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
    if (is_solved()) return true;
    if (!lets_go) break;
  }
  for (std::size_t i = 0; i < count_; ++i) move_multiplier(i, swept_[i] - lambda_[i]);
  for (std::size_t j = 0; j < size_; ++j) s_[j] = at(j, pull_[j]);
  return false;
}

}  // namespace scfe
