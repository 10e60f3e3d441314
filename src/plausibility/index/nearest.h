// The k nearest rows of a point, exact, by brute force; ties go to the lower index.
//
// Trees of neighbours lose to a plain scan in the tens to hundreds of features this is used with.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "scfe/matrix.h"

namespace scfe {

struct Neighbour {
  double distance;
  std::size_t row;
};

inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);

enum class Metric { euclidean, manhattan };

double squared_distance(std::span<const double> a, std::span<const double> b);

// The `count` nearest of `rows` to x, nearest first, `skip` left out. Fewer if there are not that many.
std::vector<Neighbour> nearest(const Matrix& rows, std::span<const double> x, std::size_t count,
                               std::size_t skip = no_row, Metric metric = Metric::euclidean);

// nearest() of every row among the others, on all threads (plausibility/nearest_of_each.cpp).
std::vector<std::vector<Neighbour>> nearest_of_each(const Matrix& rows, std::size_t count,
                                                    Metric metric = Metric::euclidean);

}  // namespace scfe
