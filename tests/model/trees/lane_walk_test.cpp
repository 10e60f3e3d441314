// Rows that walk through the trees together get the bits of each row alone.
#include "model/trees/lane_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/random.h"

namespace scfe {
namespace {

constexpr std::uint32_t inputs = 5, scores = 3, levels = 100;  // input 4 holds codes

double whole(Random& random, double below) { return std::floor(below * random.uniform()); }

void grow(Ensemble& ensemble, std::uint32_t at, int depth, Random& random) {
  const auto size = [&] { return static_cast<std::uint32_t>(ensemble.nodes.size()); };
  Ensemble::Node node;
  if (depth == 0 || random.uniform() < 0.15) {
    node.first = static_cast<std::uint32_t>(ensemble.values.size());
    ensemble.values.push_back({static_cast<std::uint32_t>(whole(random, scores)), random.uniform() - 0.5});
    node.last = node.first + 1;
    ensemble.nodes[at] = node;
    return;
  }
  node.input = static_cast<std::uint32_t>(whole(random, inputs));
  node.missing_left = random.uniform() < 0.5;
  node.left = size();
  node.right = node.left + 1;
  ensemble.nodes.resize(ensemble.nodes.size() + 2);
  if (node.input == inputs - 1) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t code = 0; code < levels; ++code)
      if (random.uniform() < 0.4) members.push_back(code);
    set_codes(ensemble, node, members);
  } else {
    node.split = Ensemble::Split::threshold;
    node.threshold = whole(random, 8);
  }
  ensemble.nodes[at] = node;
  grow(ensemble, node.left, depth - 1, random);
  grow(ensemble, node.right, depth - 1, random);
}

Ensemble random_ensemble(bool single, Random& random) {
  Ensemble ensemble;
  ensemble.inputs = inputs;
  ensemble.base.assign(scores, 0.25);
  ensemble.single = single;
  for (int tree = 0; tree < 20; ++tree) {
    const auto root = static_cast<std::uint32_t>(ensemble.nodes.size());
    ensemble.roots.push_back(root);
    ensemble.nodes.emplace_back();
    grow(ensemble, root, 6, random);
  }
  return ensemble;
}

// Rows like those of a search: most differ from the one before in a single feature, some have missing values.
std::vector<std::vector<double>> random_rows(std::size_t count, Random& random) {
  std::vector<std::vector<double>> rows;
  std::vector<double> row(inputs, 3);
  for (std::size_t i = 0; i < count; ++i) {
    const auto input = static_cast<std::size_t>(whole(random, inputs));
    row[input] = input == inputs - 1 ? whole(random, levels + 30) - 10 : whole(random, 9);
    if (random.uniform() < 0.05) row[input] = std::numeric_limits<double>::quiet_NaN();
    if (random.uniform() < 0.1) row.assign(inputs, whole(random, 9));
    rows.push_back(row);
  }
  return rows;
}

TEST(LaneWalk, rows_together_have_the_bits_of_each_alone) {
  Random random(11);
  std::size_t compared = 0, different = 0;
  for (int round = 0; round < 12; ++round) {
    const Ensemble ensemble = random_ensemble(round % 2 == 0, random);
    const auto model = ensemble_model(ensemble, "random trees");
    for (const std::size_t lanes : {1, 5, 63, 64, 65, 130}) {
      const auto rows = random_rows(lanes, random);
      Block x(inputs, lanes), z(scores, lanes);
      x.set_lanes(lanes);
      for (std::size_t lane = 0; lane < lanes; ++lane)
        for (std::size_t j = 0; j < inputs; ++j) x[j][lane] = static_cast<float>(rows[lane][j]);
      model->forward(x, z, *model->tape(lanes));
      std::vector<double> alone(scores);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        ensemble.scores(rows[lane], alone);
        for (std::size_t k = 0; k < scores; ++k, ++compared) {
          EXPECT_EQ(std::bit_cast<std::uint32_t>(z[k][lane]),
                    std::bit_cast<std::uint32_t>(static_cast<float>(alone[k])));
          different += k > 0 && z[k][lane] != z[k - 1][lane] ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(different, compared / 3);  // the trees tell the scores apart
}

// Rows that are scored in double: trees in double, and trees in single precision whose library may differ.
TEST(LaneWalk, unrounded_rows_together_have_the_bits_of_each_alone) {
  Random random(12);
  std::size_t compared = 0, told_apart = 0;
  for (int round = 0; round < 12; ++round) {
    Ensemble ensemble = random_ensemble(round % 2 == 0, random);
    for (Ensemble::Node& node : ensemble.nodes) {
      if (node.split != Ensemble::Split::threshold) continue;
      if (!ensemble.single) node.threshold += 1e-9 * random.uniform();
      node.differs = true;
    }
    const auto model = ensemble_model(ensemble, "random trees");
    ASSERT_TRUE(model->in_double());
    for (const std::size_t lanes : {1, 5, 63, 64, 65, 130}) {
      auto rows = random_rows(lanes, random);
      for (std::vector<double>& row : rows)
        for (std::size_t j = 0; j + 1 < inputs; ++j) row[j] += 1e-9 * random.uniform();
      const std::vector<std::span<const double>> points(rows.begin(), rows.end());
      std::vector<double> together(lanes * scores), alone(scores), rounded(scores);
      model->forward_each(points, together, *model->tape(1));
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        ensemble.scores(rows[lane], alone);
        for (double& x : rows[lane]) x = static_cast<double>(static_cast<float>(x));
        ensemble.scores(rows[lane], rounded);
        told_apart += alone == rounded ? 0 : 1;
        for (std::size_t k = 0; k < scores; ++k, ++compared)
          EXPECT_EQ(std::bit_cast<std::uint64_t>(together[lane * scores + k]),
                    std::bit_cast<std::uint64_t>(alone[k]));
      }
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(told_apart, 100) << "rows in float would do";
}

}  // namespace
}  // namespace scfe
