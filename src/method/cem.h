// The iteration of CEM (Dhurandhar et al. 2018): FISTA with a decreasing step, for a block of lanes.
//
//     d_{k+1} = shrink(y_k - lr_k grad g(y_k), lr_k beta) into the box,     lr_k = lr_0 sqrt(1 - k / K)
//     y_{k+1} = d_{k+1} + k / (k + 3) (d_{k+1} - d_k)                       into the box
//
// g = c loss + |d|² + tau |x - AE(x)|². c starts at 10 and grows tenfold until some iterate is valid; then it
// is bisected. The answer is the valid iterate of least |d|² + beta |d|_1 (+ the autoencoder's term).
#pragma once

#include <functional>

#include "objective/smooth.h"
#include "solver/apg/best.h"
#include "solver/apg/section.h"
#include "sparsity/prox.h"

namespace scfe {

struct CemOptions {
  int iterations = 1000;
  int sections = 9;
  double step = 0.01;
  double c = 10;
};

// One per thread. Nothing is allocated after construction.
class Cem {
 public:
  Cem(std::size_t features, std::size_t max_lanes, const CemOptions& options);

  // False if should_stop ended it; the result is then the best so far.
  bool solve(Smooth& smooth, const Prox& prox, const Box& box, const std::function<bool()>& should_stop);
  const Best& best() const { return best_; }
  int gradients() const { return gradients_; }

 private:
  bool run(Smooth& smooth, const Prox& prox, const Box& box, const std::function<bool()>& should_stop);
  void step(Smooth& smooth, const Prox& prox, const Box& box, int k);

  CemOptions options_;
  Best best_;
  Block d_, next_, y_, gradient_;
  std::vector<Section> section_;
  std::vector<float> step_, value_, cost_;
  std::vector<char> all_, valid_;
  int gradients_ = 0;
};

}  // namespace scfe
