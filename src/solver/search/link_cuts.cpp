#include "solver/search/link_cuts.h"

#include <cmath>

namespace scfe {

void add_link_cuts(const Links& links, const LinkPoint& at, double scale, Qp& qp) {
  const std::vector<Link>& all = links.links();
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool counts = links.touched(all[i], at.values);
    double offset = all[i].sum(at.values);
    for (std::size_t k = 0; k < at.columns.size(); ++k) {
      const double slope = links.slope(all[i], at.values, static_cast<std::size_t>(at.columns[k]));
      counts = counts || slope != 0;
      offset -= slope * at.w[k];
    }
    if (!counts || !std::isfinite(offset)) continue;
    const double factor = scale * links.unit(i);
    for (const double side : {1.0, -1.0}) {
      const double bound = side > 0 ? all[i].lo : all[i].hi;
      if (!std::isfinite(bound)) continue;
      const std::span<double> cut = qp.add_cut(side * factor * (bound - offset));
      for (std::size_t k = 0; k < at.columns.size(); ++k)
        cut[k] = side * factor * links.slope(all[i], at.values, static_cast<std::size_t>(at.columns[k]));
    }
  }
}

}  // namespace scfe
