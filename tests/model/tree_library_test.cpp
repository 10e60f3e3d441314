// Scores of the library that trained the trees: bounds where a split may be decided otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/trees/ensemble.h"
#include "support/random.h"

namespace scfe {
namespace {

// Trees of depth two over two inputs with random thresholds; half of the splits have an interval.
Ensemble random_trees(Random& random, std::size_t trees) {
  Ensemble ensemble;
  ensemble.inputs = 2;
  ensemble.base = {0};
  ensemble.single = false;
  for (std::size_t t = 0; t < trees; ++t) {
    const auto root = static_cast<std::uint32_t>(ensemble.nodes.size());
    ensemble.roots.push_back(root);
    for (std::uint32_t i = 0; i < 7; ++i) {
      Ensemble::Node node;
      if (i < 3) {
        node.split = Ensemble::Split::threshold;
        node.input = i == 0 ? 0 : 1;
        node.threshold = std::floor(10 * random.uniform());
        node.left = root + 2 * i + 1;
        node.right = root + 2 * i + 2;
        node.differs = random.uniform() < 0.5;
        node.surely_left = node.threshold - 1;
        node.surely_right = node.threshold + 1;
      } else {
        node.first = static_cast<std::uint32_t>(ensemble.values.size());
        ensemble.values.push_back({0, random.uniform() - 0.5});
        node.last = node.first + 1;
      }
      ensemble.nodes.push_back(node);
    }
  }
  return ensemble;
}

// The library's thresholds lie anywhere in their intervals.
Ensemble one_library(const Ensemble& file, Random& random) {
  Ensemble library = file;
  for (Ensemble::Node& node : library.nodes) {
    if (!node.differs) continue;
    node.threshold = node.surely_left + random.uniform() * (node.surely_right - node.surely_left);
    node.differs = false;
  }
  return library;
}

TEST(TrainingLibrary, scores_lie_within_the_bounds_and_the_bounds_are_reached) {
  Random random(3);
  int wide = 0, reached = 0;
  for (int round = 0; round < 20; ++round) {
    const Ensemble file = random_trees(random, 2);
    for (int i = 0; i < 20; ++i) {
      const std::vector<double> x = {std::floor(10 * random.uniform()), std::floor(10 * random.uniform())};
      std::vector<double> least(1), most(1), z(1);
      file.score_bounds(x, least, most);
      double lowest = INFINITY;
      for (int k = 0; k < 60; ++k) {
        one_library(file, random).scores(x, z);
        EXPECT_GE(z[0], least[0] - 1e-12);
        EXPECT_LE(z[0], most[0] + 1e-12);
        lowest = std::min(lowest, z[0]);
      }
      if (most[0] == least[0]) continue;
      ++wide;
      reached += std::abs(lowest - least[0]) < 1e-12 ? 1 : 0;
    }
  }
  EXPECT_GT(wide, 50);
  EXPECT_GT(reached, wide / 2);
}

TEST(TrainingLibrary, the_last_number_to_the_left_is_exact_in_single_precision) {
  Random random(4);
  const Ensemble ensemble;
  for (int i = 0; i < 10000; ++i) {
    Ensemble::Node node;
    node.split = Ensemble::Split::threshold;
    node.threshold = static_cast<double>(static_cast<float>(std::exp(40 * random.uniform() - 20)));
    if (i % 2 == 0) node.threshold = -node.threshold;
    const double last = last_left(ensemble, node);
    EXPECT_TRUE(ensemble.goes_left(node, last));
    EXPECT_FALSE(ensemble.goes_left(node, std::nextafter(last, INFINITY)));
  }
}

}  // namespace
}  // namespace scfe
