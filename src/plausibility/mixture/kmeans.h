// Starting points for EM: k-means++ seeding (Arthur and Vassilvitskii, 2007), then some rounds of Lloyd.
#pragma once

#include <vector>

#include "scfe/matrix.h"
#include "support/random.h"

namespace scfe {

// The cluster of each row, 0 .. clusters - 1. Some are empty if there are fewer distinct rows than clusters.
std::vector<std::size_t> kmeans(const Matrix& rows, std::size_t clusters, Random& random);

}  // namespace scfe
