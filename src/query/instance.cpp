#include "query/instance.h"

#include "actionability/links.h"

namespace scfe {

bool Instance::admits(std::span<const double> other) const {
  if (!taken.empty()) {
    std::vector<int> support;
    for (std::size_t f = 0; f < other.size(); ++f)
      if (other[f] != values[f] && !(links != nullptr && links->is_derived(f)))
        support.push_back(static_cast<int>(f));
    if (is_taken(support)) return false;
  }
  return (!allowed || allowed(other)) && (!apart || apart(other)) && (!padded || !padded(*this, other));
}

}  // namespace scfe
