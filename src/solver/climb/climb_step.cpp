#include "solver/climb/climb_step.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace scfe {

ClimbStep::ClimbStep(const Limits& limits)
    : limits_(limits), s_(limits.lo.size()), gain_(limits.lo.size()), sorted_(limits.lo.size()) {}

const std::vector<double>& ClimbStep::to(const Pulls& pulls, double lambda) {
  for (std::size_t j = 0; j < s_.size(); ++j) {
    const double stiffness = limits_.proximity.stiffness(limits_.weight[j]) + pulls.mu * pulls.kappa[j];
    const double pull = shrunk(lambda * pulls.slope[j] + pulls.mu * pulls.pull[j],
                               limits_.proximity.threshold(limits_.weight[j]));
    s_[j] = std::clamp(pull / stiffness, limits_.lo[j], limits_.hi[j]);
    gain_[j] = (pull - 0.5 * stiffness * s_[j]) * s_[j];
  }
  keep_most_gaining();
  return s_;
}

// Of equal gains the first columns are kept.
void ClimbStep::keep_most_gaining() {
  const std::size_t m = std::min(limits_.max_changes, s_.size());
  std::ranges::copy(gain_, sorted_.begin());
  const auto last = sorted_.begin() + static_cast<std::ptrdiff_t>(m - 1);
  std::nth_element(sorted_.begin(), last, sorted_.end(), std::greater<>());
  const double least = *last;
  auto room = static_cast<std::ptrdiff_t>(m) -
              std::count_if(sorted_.begin(), last, [&](double gain) { return gain > least; });
  for (std::size_t j = 0; j < s_.size(); ++j) {
    const bool tied = gain_[j] == least && room > 0;
    if (tied) --room;
    if (gain_[j] < least || (gain_[j] == least && !tied)) s_[j] = 0;
  }
}

double ClimbStep::reach(const Pulls& pulls, double lambda) {
  double sum = 0;
  const std::vector<double>& s = to(pulls, lambda);
  for (std::size_t j = 0; j < s.size(); ++j) sum += pulls.slope[j] * s[j];
  return sum;
}

double ClimbStep::least_lambda(const Pulls& pulls, double asked, double most) {
  double high = std::min(pulls.lambda > 0 ? pulls.lambda : 1e-3 * most, most);
  while (high < most && reach(pulls, high) < asked) high *= 4;
  if (high >= most) return most;
  double low = high / 4;
  while (low > 1e-9 * most && reach(pulls, low) >= asked) {
    high = low;
    low /= 4;
  }
  for (int i = 0; i < 6; ++i) {
    const double middle = std::sqrt(low * high);
    (reach(pulls, middle) >= asked ? high : low) = middle;
  }
  return high;
}

}  // namespace scfe
