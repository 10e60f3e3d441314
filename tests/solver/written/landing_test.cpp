// Where an iterate comes down: the vertex that enumeration says, and rows that obey the rules.
#include "solver/written/landing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "actionability/features.h"
#include "actionability/limits.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

// Two numbers a, b from 0 to 10 in steps of one, and a category of four levels.
struct World {
  std::vector<Feature> features = std::vector<Feature>(3);
  Space space;
  Writing writing{{1, 1, 1}};
  Rules rules;
  Row asked;

  explicit World(std::vector<std::string> texts = {}, std::vector<int> next = {}) {
    const char* names[] = {"a", "b", "c"};
    for (std::size_t f = 0; f < 3; ++f) features[f].name = names[f];
    for (std::size_t f = 0; f < 2; ++f) features[f].min = 0, features[f].max = 10, features[f].step = 1;
    features[2].kind = Kind::categorical;
    features[2].levels = {"p", "q", "r", "s"};
    features[2].distances = {{0, .2, .6, 1}, {.2, 0, .4, .8}, {.6, .4, 0, .4}, {1, .8, .4, 0}};
    if (!next.empty()) features[2].transitions = {next, {}, {}, {}};
    features = complete_features(features, Matrix(1, 6));
    const Scaling scaling{{0, 0, 0, 0, 0, 0}, {10, 10, 1, 1, 1, 1}};
    space = Space(features, scaling, std::vector<double>(6, 1.0));
    rules = Rules(std::move(texts), features);
    for (const Derivation& d : rules.derived) space.derive(d.feature);
    asked.values = {4, 4, 0};
    asked.factual.resize(space.columns());
    space.to_columns(asked.values, asked.factual);
    set_limits(features, space, asked);
    link();
  }
  void link() {
    set_rules({rules, space, writing}, features, asked);
    if (asked.links != nullptr)
      asked.demand.allows = [links = asked.links](auto values) { return links->hold(values); };
  }
  Landing landing(int most = 0) const { return Landing({space, writing, most}); }
};

// A level may rise that is not the first: its move is measured by all of its columns.
TEST(Landing, takes_back_the_shortest_change_of_a_group) {
  World other({"at most 1 of a, c"});
  other.asked.values[2] = 1;  // q: the first column stays where it is
  other.space.to_columns(other.asked.values, other.asked.factual);
  set_limits(other.features, other.space, other.asked);
  other.link();
  Landing landing = other.landing();
  ASSERT_TRUE(landing(other.asked, std::vector<double>{0.2, 0, 0, -1, 0, 1}, {}));
  EXPECT_EQ(landing.row()[0], 4);
  EXPECT_EQ(landing.row()[2], 3);
  ASSERT_TRUE(landing(other.asked, std::vector<double>{0.6, 0, 0, -0.6, 0.6, 0}, {}));
  EXPECT_EQ(landing.row()[2], 1);
}

TEST(Landing, takes_the_vertex_that_enumeration_finds) {
  Uniform uniform(5);
  for (const std::vector<int>& next : {std::vector<int>{}, {1, 3}}) {
    const World world({}, next);
    int changed = 0;
    for (int i = 0; i < 2000; ++i) {
      std::vector<double> w = {0, 0, -uniform.unit(), uniform.unit(), uniform.unit(), uniform.unit()};
      double best = INFINITY;
      int level = -1;
      for (const int l : world.asked.levels[2]) {
        double square = 0;
        for (int k = 0; k < 4; ++k) {
          const double x =
              world.asked.factual[static_cast<std::size_t>(2 + k)] + w[static_cast<std::size_t>(2 + k)];
          square += (x - (k == l)) * (x - (k == l));
        }
        const double away = world.features[2].distances[0][static_cast<std::size_t>(l)];
        const double dearest = 1;  // of p -> s
        const double cost = square / 2 + 0.5 * away * away / dearest;
        if (cost < best) best = cost, level = l;
      }
      Landing landing = world.landing();
      ASSERT_TRUE(landing(world.asked, w, {}));
      ASSERT_EQ(landing.row()[2], level);
      changed += level != 0;
    }
    EXPECT_GT(changed, 200);
  }
}

TEST(Landing, a_vertex_stays_itself_and_of_two_equal_shares_the_nearer_level_wins) {
  const World world;
  Landing landing = world.landing();
  for (std::size_t l = 1; l < 4; ++l) {
    std::vector<double> w = {0, 0, -1, 0, 0, 0};
    w[2 + l] = 1;
    ASSERT_TRUE(landing(world.asked, w, {}));
    EXPECT_EQ(landing.row()[2], static_cast<double>(l));
  }
  ASSERT_TRUE(landing(world.asked, std::vector<double>{0, 0, -1, 0, 0.5, 0.5}, {}));
  EXPECT_EQ(landing.row()[2], 2);
}

TEST(Landing, obeys_rules) {
  const World ordered({"a <= b"});
  Landing by_order = ordered.landing(2);
  ASSERT_TRUE(by_order(ordered.asked, std::vector<double>{0.3, 0, 0, 0, 0, 0}, {}));
  EXPECT_LE(by_order.row()[0], by_order.row()[1]);
  const World together({"at most 1 of a, b, c"});
  Landing by_one = together.landing();
  ASSERT_TRUE(by_one(together.asked, std::vector<double>{0.3, -0.1, -0.9, 0.9, 0, 0}, {}));
  EXPECT_EQ(by_one.row(), (std::vector<double>{4, 4, 1}));
  const World derived({"b := a + 1"});
  Landing follows = derived.landing();
  ASSERT_TRUE(follows(derived.asked, std::vector<double>{-0.2, 0, 0, 0, 0, 0}, {}));
  EXPECT_EQ(follows.row(), (std::vector<double>{2, 3, 0}));
  const World sum({"a + b = 8"});
  Landing by_sum = sum.landing(2);
  ASSERT_TRUE(by_sum(sum.asked, std::vector<double>{0.3, 0, 0, 0, 0, 0}, {}));
  EXPECT_EQ(by_sum.row(), (std::vector<double>{7, 1, 0}));
  Landing by_one_change = sum.landing(1);
  EXPECT_FALSE(by_one_change(sum.asked, std::vector<double>{0.3, 0, 0, 0, 0, 0}, {}));
}

}  // namespace
}  // namespace scfe
