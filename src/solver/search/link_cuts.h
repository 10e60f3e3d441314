// Linear rules between features as cuts of the small QP, in the columns of a support.
//
//     lo <= sum(x) + slope·(s - w) <= hi
//
// Exact, except for derived columns, which are linearised at x.
#pragma once

#include <span>

#include "actionability/links.h"
#include "solver/search/qp.h"

namespace scfe {

// The point of linearisation: the columns of the support, w there, and the values of the whole row.
struct LinkPoint {
  std::span<const int> columns;
  std::span<const double> w;
  std::span<const double> values;
};
// Scaled so that a shortfall of `scale` in the QP is one unit of Links::violation.
void add_link_cuts(const Links& links, const LinkPoint& at, double scale, Qp& qp);

}  // namespace scfe
