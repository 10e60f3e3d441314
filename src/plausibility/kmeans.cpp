#include "plausibility/kmeans.h"

#include <algorithm>
#include <limits>

#include "plausibility/nearest.h"

namespace scfe {
namespace {

// The first centre at random, each next one with probability by its squared distance from those before.
Matrix seeded_centres(const Matrix& rows, std::size_t clusters, Random& random) {
  Matrix centres(clusters, rows.cols);
  std::vector<double> squared(rows.rows, std::numeric_limits<double>::infinity());
  std::size_t chosen = random.index(rows.rows);
  for (std::size_t k = 0; k < clusters; ++k) {
    std::ranges::copy(rows[chosen], centres[k].begin());
    double total = 0;
    for (std::size_t i = 0; i < rows.rows; ++i) {
      squared[i] = std::min(squared[i], squared_distance(rows[i], centres[k]));
      total += squared[i];
    }
    double left = random.uniform() * total;
    for (chosen = 0; chosen + 1 < rows.rows && left >= squared[chosen]; ++chosen) left -= squared[chosen];
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
  for (int round = 0; round < rounds && assign(rows, centres, cluster); ++round) recentre(rows, cluster, centres);
  return cluster;
}

}  // namespace scfe
