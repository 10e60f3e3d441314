// Which kinds of rules a row has: some solvers can handle some kinds.
#include <algorithm>

#include "actionability/links.h"

namespace scfe {

bool Links::are_inequalities() const {
  return derived().empty() && together().empty() && implications().empty() &&
         std::ranges::none_of(links_, &Link::is_equality);
}

bool Links::derive_by_levels() const {
  return std::ranges::all_of(derived(), [&](const Derivation& d) {
    if (d.formula.table.empty() || d.sources.size() != 1) return false;
    const std::size_t source = d.sources.front();
    if (!frame_.space.is_category(source) || is_derived(source)) return false;
    return formula_value(d, factual_) == factual_[d.feature];
  });
}

bool Links::are_maps_of_levels() const {
  return derive_by_levels() && frame_.rules.links.empty() && together().empty() && implications().empty();
}

bool Links::are_finite() const { return derive_by_levels() && frame_.rules.links.empty(); }

}  // namespace scfe
