// Extrapolation of FISTA (Beck and Teboulle 2009), as the paper writes it:
//
//     beta_t = (1 + sqrt(1 + 4 beta_{t-1}²)) / 2,  beta_0 = 0        1, 1.618, 2.194, 2.750, ...
//     alpha_t = (beta_t - 1) / beta_{t+1}                            0, 0.282, 0.434, 0.531, ...
#pragma once

#include <cmath>

namespace scfe {

class Momentum {
 public:
  // alpha_1, alpha_2, ...
  double next() {
    const double before = beta_;
    beta_ = (1 + std::sqrt(1 + 4 * before * before)) / 2;
    return (before - 1) / beta_;
  }
  void restart() { beta_ = 1; }

 private:
  double beta_ = 1;
};

}  // namespace scfe
