// The Cholesky factor of a small symmetric matrix, row-major, and solving with it.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace scfe {

// Overwrites the lower half of h with L. False unless h is positive definite.
inline bool factorise(std::vector<double>& h, std::size_t n) {
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k)
      for (std::size_t i = j; i < n; ++i) h[i * n + j] -= h[i * n + k] * h[j * n + k];
    if (!(h[j * n + j] > 0)) return false;
    const double root = std::sqrt(h[j * n + j]);
    for (std::size_t i = j; i < n; ++i) h[i * n + j] /= root;
  }
  return true;
}

// Overwrites x with (L L')^-1 x.
inline void solve_factorised(const std::vector<double>& l, std::size_t n, std::vector<double>& x) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

}  // namespace scfe
