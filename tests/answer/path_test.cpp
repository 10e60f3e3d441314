// The path over m: never farther with more changes, never less typical below the floor; answers that are
// found later are inserted at their place.
#include "answer/path.h"

#include <gtest/gtest.h>

#include "tests/helper/clouds.h"
#include "tests/helper/credit.h"
#include "tests/helper/examples.h"

namespace scfe {
namespace {

Explanation step(int changes, double l2, Status status = Status::valid, double log_density = 0) {
  Explanation e;
  e.status = status;
  e.l2 = e.distance = l2;
  e.log_density = log_density;
  e.allowed_changes = changes;
  for (int f = 0; f < changes; ++f) e.changes.push_back({static_cast<std::size_t>(f), 0, 1});
  return e;
}

std::vector<int> allowed(const std::vector<Explanation>& path) {
  std::vector<int> changes;
  for (const Explanation& e : path) changes.push_back(e.allowed_changes);
  return changes;
}

TEST(Path, an_answer_found_late_replaces_what_is_no_better) {
  const Status below = Status::below_floor;
  std::vector<Explanation> path = {step(1, 0.3, below, -9), step(2, 0.4, below, -5), step(3, 0.4, below, -4)};
  extend_path(path, step(2, 0.7));
  EXPECT_EQ(allowed(path), (std::vector<int>{1, 2}));
  EXPECT_EQ(path.back().status, Status::valid);
  path = {step(3, 0, Status::not_found)};
  extend_path(path, step(1, 0.7));
  ASSERT_EQ(allowed(path), std::vector<int>{1});
  // An answer with fewer changes is already closer: nothing is added.
  extend_path(path, step(2, 0.9));
  EXPECT_EQ(allowed(path), std::vector<int>{1});
}

TEST(Path, the_knee_moves_with_the_end) {
  std::vector<Explanation> path = {step(1, 1), step(2, 0.9)};
  extend_path(path, step(4, 0.1));
  for (const Explanation& e : path) EXPECT_FALSE(e.knee);  // the curve bends the other way
  extend_path(path, step(3, 0.15));
  ASSERT_EQ(allowed(path), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_TRUE(path[2].knee);
  EXPECT_EQ(path[2].reason(), Explanation::knee_text);
  extend_path(path, step(2, 0.16));
  EXPECT_TRUE(path[1].knee);
  EXPECT_FALSE(path[2].knee);
  EXPECT_TRUE(path[2].reason().empty());
}

// Rows far from the class, for which no answer is typical enough: more changes make it more typical.
TEST(Path, below_the_floor_answers_only_get_more_typical) {
  const auto model = test::random_network(8, 1, 71);
  const Training training = test::labelled_by(*model, 200, 72);
  Options options;
  options.path = true;
  options.hints = false;
  options.max_changes = 4;
  options.plausible = 0.5;
  const Explainer explainer(model, training, options);
  Matrix factuals = test::first_rows(training.rows, 40);
  for (double& value : factuals.values) value *= 2;
  std::size_t pairs = 0;
  for (const auto& path : explainer.explain_all(factuals, options))
    for (std::size_t k = 1; k < path.size(); ++k) {
      ASSERT_TRUE(path[k].found());
      if (path[k - 1].status == Status::valid) EXPECT_EQ(path[k].status, Status::valid);
      if (path[k].status != path[k - 1].status) continue;
      if (path[k].status == Status::valid) {
        EXPECT_LT(path[k].l2, path[k - 1].l2);
      } else {
        EXPECT_GT(path[k].log_density, path[k - 1].log_density);
        ++pairs;
      }
    }
  EXPECT_GT(pairs, 10U);
}

// A path that goes on where it was ends where a search of its own would.
TEST(Path, ends_where_a_search_of_its_own_does) {
  for (const test::Example& c : {test::credit_example(), test::number_example(), test::tree_example()}) {
    Options options = c.explainer.options();
    options.hints = false;
    options.fewest_first = false;
    const std::vector<Explanation> alone = c.explainer.explain(c.factuals, options);
    options.path = true;
    const auto paths = c.explainer.explain_all(c.factuals, options);
    std::size_t farther = 0, answered = 0;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      if (alone[i].status != Status::valid) continue;
      ++answered;
      const Explanation& end = paths[i].back();
      EXPECT_EQ(end.proof, alone[i].proof) << c.name;
      EXPECT_EQ(end.status, Status::valid) << c.name << ", row " << i;
      farther += end.l2 > 1.01 * alone[i].l2;
    }
    EXPECT_GE(answered, 10U) << c.name;
    EXPECT_LE(20 * farther, answered) << c.name;
    if (c.name == "trees") EXPECT_EQ(farther, 0U);
  }
}

}  // namespace
}  // namespace scfe
