#include "scfe/row_limits.h"

#include <algorithm>

#include "scfe/error.h"
#include "support/text.h"

namespace scfe {

std::vector<Feature> limited(std::vector<Feature> features, const RowLimits& limits) {
  for (const FeatureLimit& limit : limits.features) {
    if (limit.feature >= features.size())
      throw Error("row limits", "a feature from 0 to " + std::to_string(features.size() - 1),
                  std::to_string(limit.feature));
    Feature& feature = features[limit.feature];
    const std::string field = "row limits of '" + feature.name + "'";
    if ((limit.min || limit.max) && feature.is_category())
      throw Error(field, "fixed or nothing: levels have no range", "a range");
    if (limit.min && limit.max && !(*limit.min <= *limit.max))
      throw Error(field, "min <= max", number(*limit.min) + " > " + number(*limit.max));
    if (limit.min) feature.min = std::max(*feature.min, *limit.min);
    if (limit.max) feature.max = std::min(*feature.max, *limit.max);
    // An empty range leaves only the row's own value.
    feature.immutable = feature.immutable || limit.fixed || *feature.min > *feature.max;
  }
  return features;
}

}  // namespace scfe
