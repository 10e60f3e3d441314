#include "query/row.h"

#include <algorithm>

#include "actionability/links.h"

namespace scfe {

bool Row::keeps_rules(std::span<const double> other) const { return links == nullptr || links->hold(other); }

bool Demand::is_taken(std::span<const int> support) const {
  return std::ranges::any_of(
      taken_supports, [&](const std::vector<int>& taken) { return std::ranges::equal(taken, support); });
}

bool Demand::rejects(const Row& row, Values values) const {
  if (!taken_supports.empty()) {
    std::vector<int> support;
    for (std::size_t f = 0; f < values.size(); ++f)
      if (values[f] != row.values[f] && !(row.links != nullptr && row.links->is_derived(f)))
        support.push_back(static_cast<int>(f));
    if (is_taken(support)) return true;
  }
  return !row.keeps_rules(values) || (allows && !allows(values)) || (differs && !differs(values)) ||
         (is_redundant && is_redundant(row, values));
}

}  // namespace scfe
