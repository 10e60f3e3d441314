// The prox of a relaxed one-hot group, whose levels are shares of one whole. The factual's own level loses
// the share s that the other allowed levels gain:
//
//     w_own = -s,   w_l >= 0,   sum of w_l = s,   0 <= s <= 1,        cost power(s), paid once per group.
//
// Sort the allowed levels by v_1 >= v_2 >= ..., and let S_k be the sum of the first k. For given s, the best
// split over these k is w_l = v_l - (S_k - s) / k. It costs  (1 + 1/k) (s - c)² + 2 b power(s)  up to a
// constant, with c = (S_k / k - v_own) / (1 + 1/k): a problem in one variable. It is solved for every k, from
// the s at which level k joins. The best of these minima and s = 0 is the prox.
//
// The solver rounds shares to a single level (solver/written/landing.h).
#pragma once

#include <algorithm>
#include <cmath>

#include "sparsity/groups.h"

namespace scfe {

namespace shares {

// The next allowed level in descending order of v; ties go to the earlier column.
struct Next {
  bool found = false;
  double v = -INFINITY;
  std::size_t column = 0;
};

inline Next next_below(const Groups& groups, std::size_t g, const Block& v, const Box& box, std::size_t lane,
                       const Next& last) {
  Next next;
  groups.for_each_column(g, [&](std::size_t j) {
    const double at = v[j][lane];
    const bool below = !last.found || at < last.v || (at == last.v && j > last.column);
    if (box.hi[j][lane] > 0 && below && (!next.found || at > next.v)) next = {true, at, j};
  });
  return next;
}

}  // namespace shares

// Computes w of one group and lane. Rule is as in separable.h; Rule::stationary(v, b) is the largest
// stationary point of (s - v)² + 2 b power(s) for v > 0, or 0 if there is none.
template <class Rule>
void move_shares(const Groups& groups, std::size_t g, std::size_t lane, const Block& v, double b,
                 const Box& box, Block& w) {
  double own = NAN, least = 0, moved = 0, level = 0;  // level: amount subtracted from each v_l
  groups.for_each_column(g, [&](std::size_t j) {
    w[j][lane] = 0;
    if (box.lo[j][lane] < 0) own = v[j][lane];
  });
  if (std::isnan(own)) return;
  double sum = 0, squares = 0, k = 1;
  for (auto next = shares::next_below(groups, g, v, box, lane, {}); next.found; ++k) {
    const double from = std::max(sum - (k - 1) * next.v, 0.0);
    if (from >= 1) break;
    sum += next.v;
    squares += next.v * next.v;
    const double bend = 1 + 1 / k, c = (sum / k - own) / bend;
    const double far = c > 0 ? std::clamp(Rule::stationary(c, b / bend), from, 1.0) : from;
    for (const double s : {from, far}) {
      const double off = (sum - s) / k;
      const double cost = s * (s + 2 * own) + k * off * off - squares + 2 * b * Rule::power(s);
      if (s > 0 && cost < least) least = cost, moved = s, level = off;
    }
    next = shares::next_below(groups, g, v, box, lane, next);
  }
  if (moved == 0) return;
  groups.for_each_column(g, [&](std::size_t j) {
    if (box.lo[j][lane] < 0) w[j][lane] = static_cast<float>(-moved);
    if (box.hi[j][lane] > 0) w[j][lane] = static_cast<float>(std::clamp(v[j][lane] - level, 0.0, 1.0));
  });
}

// Without a penalty the prox is the nearest feasible point.
struct NothingPaid {
  static double stationary(double v, double /*b*/) { return v; }
  static double power(double /*magnitude*/) { return 0; }
};

// Projects every lane onto its limits.
inline void project(const Groups& groups, const Block& v, const Box& box, Block& w) {
  for (std::size_t g = 0; g < groups.count(v.features()); ++g)
    for (std::size_t lane = 0; lane < v.lanes(); ++lane)
      if (groups.is_one_hot(g))
        move_shares<NothingPaid>(groups, g, lane, v, 0, box, w);
      else
        groups.for_each_column(
            g, [&](std::size_t j) { w[j][lane] = bounded(v[j][lane], box.lo[j][lane], box.hi[j][lane]); });
}

}  // namespace scfe
