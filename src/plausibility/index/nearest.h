// The k nearest rows of a point, exact, by brute force. Ties go to the lower index.
//
// With the tens to hundreds of features that occur here, search trees are slower than a plain scan.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scfe/choices.h"
#include "scfe/matrix.h"

namespace scfe {

struct Neighbour {
  double distance;
  std::size_t row;
};

inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);

double squared_distance(std::span<const double> a, std::span<const double> b);

// The `count` rows nearest to x, nearest first, without row `skip`. Fewer if there are not enough rows.
std::vector<Neighbour> nearest(const Matrix& rows, std::span<const double> x, std::size_t count,
                               std::size_t skip = no_row, Metric metric = Metric::l2);

// nearest() of every row among all others, on all threads (plausibility/index/nearest_of_each.cpp).
std::vector<std::vector<Neighbour>> nearest_of_each(const Matrix& rows, std::size_t count,
                                                    Metric metric = Metric::l2);

}  // namespace scfe
