#include "plausibility/mixture/kmeans.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "plausibility/index/nearest.h"

namespace scfe {
namespace {

std::size_t draw(const std::vector<double>& chances, double total, Random& random) {
  double left = random.uniform() * total;
  std::size_t chosen = 0;
  for (; chosen + 1 < chances.size() && left >= chances[chosen]; ++chosen) left -= chances[chosen];
  return chosen;
}

// Lowers the squared distances to the nearest centre for one more centre, and returns their sum.
double shrink(const Matrix& rows, std::span<const double> centre, std::vector<double>& squared) {
  double total = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    squared[i] = std::min(squared[i], squared_distance(rows[i], centre));
    total += squared[i];
  }
  return total;
}

// The first centre is a random row. Each next one is the best of a few rows drawn with probability
// proportional to the squared distance to the nearest centre.
Matrix seeded_centres(const Matrix& rows, std::size_t clusters, Random& random) {
  Matrix centres(clusters, rows.cols);
  std::vector<double> squared(rows.rows, std::numeric_limits<double>::infinity()), trial, best;
  std::ranges::copy(rows[random.index(rows.rows)], centres[0].begin());
  double total = shrink(rows, centres[0], squared);
  const int draws = 2 + static_cast<int>(std::log(static_cast<double>(clusters)));
  for (std::size_t k = 1; k < clusters; ++k) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < draws; ++i) {
      const std::size_t chosen = draw(squared, total, random);
      trial = squared;
      const double left = shrink(rows, rows[chosen], trial);
      if (left >= least) continue;
      least = left;
      best = trial;
      std::ranges::copy(rows[chosen], centres[k].begin());
    }
    squared = best;
    total = least;
  }
  return centres;
}

bool assign(const Matrix& rows, const Matrix& centres, std::vector<std::size_t>& cluster) {
  bool moved = false;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::size_t best = nearest(centres, rows[i], 1)[0].row;
    moved = moved || best != cluster[i];
    cluster[i] = best;
  }
  return moved;
}

void recentre(const Matrix& rows, const std::vector<std::size_t>& cluster, Matrix& centres) {
  std::vector<double> counts(centres.rows);
  for (const std::size_t k : cluster) counts[k] += 1;
  for (std::size_t k = 0; k < centres.rows; ++k)
    if (counts[k] > 0) std::ranges::fill(centres[k], 0.0);
  for (std::size_t i = 0; i < rows.rows; ++i)
    for (std::size_t j = 0; j < rows.cols; ++j) centres[cluster[i]][j] += rows[i][j] / counts[cluster[i]];
}

}  // namespace

std::vector<std::size_t> kmeans(const Matrix& rows, std::size_t clusters, Random& random) {
  constexpr int rounds = 30;
  Matrix centres = seeded_centres(rows, clusters, random);
  std::vector<std::size_t> cluster(rows.rows, clusters);
  for (int round = 0; round < rounds && assign(rows, centres, cluster); ++round)
    recentre(rows, cluster, centres);
  return cluster;
}

}  // namespace scfe
