// Asking for more plausibility never gives less (query/floor_order.h): over rising floors the log-density of
// an answer never falls by more than the slack, and while the floor is met the answer never gets closer.
#include "query/floor_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scfe/bundle.h"
#include "scfe/diagnostics.h"
#include "tests/helper/clouds.h"

namespace scfe::test {
namespace {

constexpr double floors[] = {0.01, 0.02, 0.05, 0.10, 0.24, 0.25, 0.26, 0.50, 0.90};

TEST(FloorOrder, the_floor_in_force_is_reached) {
  const FloorOrder order{.floor = -2, .slack = 0.5};
  EXPECT_EQ(order.in_force(-1), -2);
  EXPECT_EQ(order.in_force(-2), -2);
  EXPECT_EQ(order.in_force(-3), -3.5);
  EXPECT_EQ((FloorOrder{.floor = -2, .slack = 0.5, .below = BelowFloor::closest}).in_force(-3),
            FloorOrder::lowest);
}

TEST(FloorOrder, plausible_enough_comes_first_then_the_distance) {
  const FloorOrder order{.floor = -2, .slack = 0.5};
  EXPECT_TRUE(order.prefers({-1.9, 5}, {-2.1, 1}, -1.9));
  EXPECT_TRUE(order.prefers({-1.9, 1}, {-1.0, 5}, -1.0));
  EXPECT_TRUE(order.prefers({-3.4, 1}, {-3.0, 5}, -3.0));   // within the slack: the closer
  EXPECT_FALSE(order.prefers({-3.6, 1}, {-3.0, 5}, -3.0));  // beyond it: the more plausible
  EXPECT_FALSE(order.prefers({-3.4, 1}, {-3.4, 1}, -3.0));
}

// It is an order: of any answers one is best, and no chain of preferences comes back to its start.
TEST(FloorOrder, is_transitive_for_what_was_reached) {
  const FloorOrder order{.floor = 0, .slack = 0.5};
  std::vector<FloorOrder::Standing> all;
  for (double q = -2; q <= 0.5; q += 0.25)
    for (const double distance : {1.0, 2.0, 3.0}) all.push_back({q, distance});
  for (const double reached : {-0.5, 0.5})
    for (const auto& a : all)
      for (const auto& b : all)
        for (const auto& c : all) {
          if (std::max({a.log_density, b.log_density, c.log_density}) > reached) continue;
          if (order.prefers(a, b, reached) && order.prefers(b, c, reached))
            EXPECT_TRUE(order.prefers(a, c, reached));
        }
}

struct Case {
  std::string name;
  Explainer explainer;
  Matrix rows;  // not of the target class
  Options options;
};

Matrix not_of(const Explainer& explainer, const Matrix& rows, int target, std::size_t count) {
  Matrix some(0, rows.cols);
  const std::vector<int> predicted = explainer.predict(rows);
  for (std::size_t i = 0; i < rows.rows && some.rows < count; ++i) {
    if (predicted[i] == target) continue;
    some.values.insert(some.values.end(), rows[i].begin(), rows[i].end());
    ++some.rows;
  }
  return some;
}

Case make_case(std::string name, const std::shared_ptr<const Model>& model, const Training& training,
               DensityKind density) {
  Options options;
  options.density = density;
  options.target = Target::of(1);
  options.max_changes = 2;
  options.hints = false;
  name += ", " + std::string(name_of(density));
  Explainer explainer(model, training, options);
  Matrix rows = not_of(explainer, training.rows, 1, 25);
  return {std::move(name), std::move(explainer), std::move(rows), options};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::string home = SCFE_SOURCE_DIR "/data/";
  const std::vector<DensityKind> of_numbers = {DensityKind::kde, DensityKind::gmm, DensityKind::knn};
  for (const std::string name : {"wine", "wine3", "housing", "wdbc", "german_credit"}) {
    const Encoder encoder(read_schema(home + name + ".schema.json"));
    const Encoded rows = encoder.encode_labelled(read_csv(home + (name == "wine3" ? "wine" : name) + ".csv"));
    const auto model = open_model(read_model_file(home + "models/" + name + ".onnx"));
    const Training training{rows.inputs, rows.labels, encoder.features()};
    const bool mixed = name == "german_credit";
    for (const DensityKind density : mixed ? std::vector{DensityKind::mixture, DensityKind::knn} : of_numbers)
      cases.push_back(make_case(name, model, training, density));
  }
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const auto linear = linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  for (const DensityKind density : of_numbers) {
    cases.push_back(make_case("trees", trees, labelled_by(*trees, 200, 5), density));
    cases.push_back(make_case("linear", linear, labelled_by(*linear, 200, 5), density));
  }
  return cases;
}

// Half a nat of the case's density, in its own units (Density::nat).
double slack_of(const Case& c) {
  if (c.options.density != DensityKind::knn) return 0.5;
  constexpr int parts = 1000;
  double mean = 0;
  for (int i = 0; i < parts; ++i) mean += Diagnostics(c.explainer).floor(1, (i + 0.5) / parts) / parts;
  return 1.1 * -mean / static_cast<double>(Diagnostics(c.explainer).to_work_space(c.rows).cols);
}

struct Count {
  int steps = 0, below = 0, less_plausible = 0, closer = 0, floor_matters = 0;
};

void compare(const Case& c, double slack, const Explanation& less, const Explanation& more, Count& count) {
  ++count.steps;
  if (less.log_density - more.log_density > slack + 1e-3) ++count.less_plausible;
  if (more.status == Status::below_floor) ++count.below;
  // What is given below the floor does not depend on it.
  if (less.status == Status::below_floor) {
    EXPECT_EQ(more.status, Status::below_floor) << c.name;
    EXPECT_EQ(less.counterfactual, more.counterfactual) << c.name;
    ++count.floor_matters;
  }
  if (more.status != Status::valid) return;
  const auto far = [&](const Explanation& e) {
    return std::pair(c.options.fewest_first ? e.changes.size() : 0, e.l2 * (1 + 1e-6));
  };
  if (std::pair(far(more).first, far(more).second * 1.001) < far(less)) ++count.closer;
}

TEST(FloorOrder, asking_for_more_never_gives_less) {
  Count all;
  for (Case& c : all_cases()) {
    Count count;
    const double slack = slack_of(c);
    for (const bool fewest_first : {true, false}) {
      c.options.fewest_first = fewest_first;
      std::vector<Explanation> before;
      for (const double floor : floors) {
        c.options.plausible = floor;
        std::vector<Explanation> now = c.explainer.explain(c.rows, c.options);
        for (std::size_t i = 0; i < before.size(); ++i) {
          EXPECT_TRUE(now[i].found() || !before[i].found()) << c.name << ' ' << i;
          if (now[i].found()) compare(c, slack, before[i], now[i], count);
        }
        before = std::move(now);
      }
    }
    std::printf("%-24s %4d steps, %4d below the floor: %d less plausible, %d closer\n", c.name.c_str(),
                count.steps, count.below, count.less_plausible, count.closer);
    all.steps += count.steps;
    all.below += count.below;
    all.less_plausible += count.less_plausible;
    all.closer += count.closer;
    all.floor_matters += count.floor_matters;
  }
  EXPECT_GE(all.steps, 5000);
  EXPECT_GE(all.below, 500);
  EXPECT_GE(all.floor_matters, 200);
  // A search may miss: one allowance for both, a step in a hundred, which no bar depends on. The counts are
  // printed.
  EXPECT_LE(all.less_plausible, all.steps / 100);
  EXPECT_LE(all.closer, all.steps / 100);
}

TEST(FloorOrder, more_answers_do_not_change_the_first) {
  int compared = 0, further = 0;
  for (Case& c : all_cases())
    for (const double floor : {0.10, 0.90}) {
      c.options.plausible = floor;
      c.options.answers = 1;
      const auto alone = c.explainer.explain(c.rows, c.options);
      c.options.answers = 2;
      const auto lists = c.explainer.explain_all(c.rows, c.options);
      for (std::size_t i = 0; i < alone.size(); ++i, ++compared) {
        EXPECT_EQ(alone[i].status, lists[i][0].status) << c.name << ' ' << i;
        EXPECT_EQ(alone[i].counterfactual, lists[i][0].counterfactual) << c.name << ' ' << i;
        further += lists[i].size() > 1;
      }
    }
  EXPECT_GE(compared, 500);
  EXPECT_GE(further, 100);
}

TEST(FloorOrder, what_is_given_below_it_is_a_choice) {
  int below = 0;
  for (Case& c : all_cases()) {
    c.options.plausible = 0.9;
    const auto plausible = c.explainer.explain(c.rows, c.options);
    c.options.below_floor = BelowFloor::closest;
    const auto closest = c.explainer.explain(c.rows, c.options);
    c.options.below_floor = BelowFloor::none;
    const auto strict = c.explainer.explain(c.rows, c.options);
    c.options.plausible = 0;
    const auto free = c.explainer.explain(c.rows, c.options);
    for (std::size_t i = 0; i < c.rows.rows; ++i) {
      EXPECT_NE(strict[i].status, Status::below_floor) << c.name << ' ' << i;
      if (strict[i].status == Status::not_found) EXPECT_TRUE(strict[i].changes.empty());
      if (strict[i].status == Status::not_found)
        EXPECT_NE(strict[i].reason().find("as typical as 90 % of the class"), std::string::npos)
            << strict[i].reason();
      if (closest[i].status != Status::below_floor) continue;
      ++below;
      EXPECT_EQ(closest[i].counterfactual, free[i].counterfactual) << c.name << ' ' << i;
      EXPECT_EQ(strict[i].status, Status::not_found) << c.name << ' ' << i;
      EXPECT_LE(closest[i].log_density, plausible[i].log_density + slack_of(c) + 1e-3) << c.name << ' ' << i;
    }
  }
  EXPECT_GE(below, 100);
}

}  // namespace
}  // namespace scfe::test
