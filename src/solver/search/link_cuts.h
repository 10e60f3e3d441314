// Linear rules between features as cuts of the small QP, in the columns of a support.
//
//     sum(s) = sum(x) + slope·(s - w)   lo <= sum(s) <= hi      exact, but for derived columns: linearised at
//     x
#pragma once

#include <span>

#include "actionability/links.h"
#include "solver/search/qp.h"

namespace scfe {

// Where the QP stands: columns of the support, w there, and the whole row with it.
struct LinkPoint {
  std::span<const int> columns;
  std::span<const double> w;
  std::span<const double> values;
};
// A shortfall of `scale` in the QP is one unit of Links::violation.
void add_link_cuts(const Links& links, const LinkPoint& at, double scale, Qp& qp);

}  // namespace scfe
