// Starts for EM: k-means++ seeding (Arthur and Vassilvitskii, 2007) and a few rounds of Lloyd's algorithm.
#pragma once

#include <vector>

#include "scfe/matrix.h"
#include "support/random.h"

namespace scfe {

// The cluster of each row, in 0 .. clusters - 1. Some stay empty if there are fewer distinct rows.
std::vector<std::size_t> kmeans(const Matrix& rows, std::size_t clusters, Random& random);

}  // namespace scfe
