// What a lane may count on: its bits, no allocation, its floor, the time limit, its own failures.
#include <gtest/gtest.h>

#include <cmath>

#include "scfe/error.h"
#include "solver/apg/apg.h"
#include "tests/helper/allocations.h"
#include "tests/solver/halfspace.h"

namespace scfe {
namespace {

using test::answer;
using test::d;
using test::World;

TEST(Apg, a_lanes_bits_depend_neither_on_neighbours_nor_on_order) {
  for (const ProxRow& row : prox_catalogue())
    for (const StepRule rule : {StepRule::paper, StepRule::backtracking}) {
      const auto prox = row.make({.beta = 0.02, .max_changes = 2, .group = {}});
      ApgOptions options{.iterations = 60, .sections = 5};
      options.rule = rule;
      World all(21, 0.3), reversed(21, 0.3), one(1, 0.3);
      Apg batch(d, 21, options), backwards(d, 32, options), single(d, 1, options);
      for (std::size_t lane = 0; lane < 21; ++lane) reversed.place(lane, 20 - lane);
      batch.solve(all.problem(*prox));
      backwards.solve(reversed.problem(*prox));
      for (std::size_t lane = 0; lane < 21; ++lane) {
        EXPECT_EQ(answer(batch, lane), answer(backwards, 20 - lane)) << row.name;
        if (lane % 5 != 0) continue;
        one.place(0, lane);
        single.solve(one.problem(*prox));
        EXPECT_EQ(answer(batch, lane), answer(single, 0)) << row.name;
        EXPECT_EQ(batch.count(lane).gradients, single.count(0).gradients);
      }
    }
}

TEST(Apg, does_not_allocate) {
  for (const ProxRow& row : prox_catalogue()) {
    const auto prox = row.make({.beta = 0.02, .max_changes = 2, .group = {0, 0, 1, 2, 3}});
    World world(20, 0.3);
    Apg apg(d, 20, {.iterations = 20, .sections = 3});
    const std::vector<FloorOrder> floor(20, {.floor = -1});
    const long before = test::allocations();
    apg.solve(world.problem(*prox, floor));
    EXPECT_EQ(test::allocations(), before) << row.name;
  }
}

TEST(Apg, the_floor_is_met_where_it_can_be) {
  World world(12, 0, true), plain(12);
  const auto prox = make_prox(SparsityKind::none, {});
  Apg apg(d, 12, {}), free(d, 12, {});
  free.solve(plain.problem(*prox));
  World pulled(12, 2);
  const std::vector<FloorOrder> loose(12, {.floor = -0.6F}), beyond(12, {.floor = 1});
  apg.solve(pulled.problem(*prox, loose));
  for (std::size_t lane = 0; lane < 12; ++lane) {
    EXPECT_TRUE(apg.best()[lane].meets_floor);
    EXPECT_GE(apg.best()[lane].log_density, -0.6F);
  }
  apg.solve(world.problem(*prox, beyond));
  for (std::size_t lane = 0; lane < 12; ++lane) {
    EXPECT_TRUE(apg.best()[lane].valid);
    EXPECT_FALSE(apg.best()[lane].meets_floor) << "no log-density reaches 1";
  }
}

TEST(Apg, rows_that_follow_in_a_lane_get_the_answers_they_get_alone) {
  constexpr std::size_t rows = 23, lanes = 4;
  const auto prox = make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 2, .group = {}});
  World all(rows), few(lanes);
  Apg together(d, rows, {}), in_turn(d, lanes, {});
  together.solve(all.problem(*prox));
  std::vector<std::size_t> row{0, 1, 2, 3};
  std::vector<int> seen(rows);
  std::size_t next = lanes;
  const auto refill = [&](std::size_t lane) {
    ++seen[row[lane]];
    EXPECT_EQ(answer(in_turn, lane), answer(together, row[lane])) << row[lane];
    EXPECT_EQ(in_turn.count(lane).gradients, together.count(row[lane]).gradients);
    if (next == rows) return false;
    row[lane] = next;
    few.place(lane, next++);
    return true;
  };
  EXPECT_TRUE(in_turn.solve(few.problem(*prox), {.observe = {}, .should_stop = {}, .refill = refill}));
  EXPECT_EQ(seen, std::vector<int>(rows, 1));
}

TEST(Apg, stops_when_asked_and_keeps_what_it_has) {
  World world(4);
  const auto prox = make_prox(SparsityKind::none, {});
  Apg apg(d, 4, {.iterations = 100, .sections = 10, .gamma = 10});
  int asked = 0;
  EXPECT_FALSE(apg.solve(world.problem(*prox), {.observe = {}, .should_stop = [&] { return ++asked > 30; }}));
  EXPECT_EQ(apg.count(0).gradients, 30);
  for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_TRUE(apg.best()[lane].valid);
  EXPECT_FALSE(apg.solve(world.problem(*prox), {.observe = {}, .should_stop = [] { return true; }}));
  EXPECT_FALSE(apg.best()[0].valid);
  EXPECT_EQ(apg.count(0).gradients, 0);
}

// Value or gradient of one lane turns into no number after some evaluations.
class Failing final : public Smooth {
 public:
  Failing(Smooth& inner, std::size_t lane, int after, bool by_gradient)
      : inner_(inner), lane_(lane), after_(after), by_gradient_(by_gradient) {}
  std::size_t features() const override { return inner_.features(); }
  void evaluate(const Block& w, float* value, Block* gradient) override {
    inner_.evaluate(w, value, gradient);
    if (++evaluations_ <= after_) return;
    if (!by_gradient_) value[lane_] = NAN;
    if (by_gradient_ && gradient != nullptr) (*gradient)[2][lane_] = INFINITY;
  }
  const float* margin() const override { return inner_.margin(); }
  const float* log_density() const override { return inner_.log_density(); }
  const float* cost() const override { return inner_.cost(); }
  std::span<float> gamma() override { return inner_.gamma(); }

 private:
  Smooth& inner_;
  std::size_t lane_;
  int after_;
  bool by_gradient_;
  int evaluations_ = 0;
};

TEST(Apg, a_lane_that_is_not_finite_stops_and_is_flagged_and_the_others_go_on) {
  const auto prox = make_prox(SparsityKind::top_m, {.beta = 0, .max_changes = 2, .group = {}});
  for (const StepRule rule : {StepRule::paper, StepRule::backtracking})
    for (const Keep keep : {Keep::best, Keep::last})
      for (const std::size_t bad : {std::size_t{0}, std::size_t{3}}) {
        World world(5);
        const ApgOptions options{.iterations = 60, .sections = 5, .rule = rule, .keep = keep};
        Apg healthy(d, 5, options), apg(d, 5, options);
        healthy.solve(world.problem(*prox));
        for (const bool by_gradient : {false, true})
          for (const int after : {0, 1, 37, 70, 130}) {
            Failing failing(world.objective, bad, after, by_gradient);
            EXPECT_TRUE(apg.solve({failing, *prox, world.box, {}}));
            for (std::size_t lane = 0; lane < 5; ++lane) {
              EXPECT_EQ(apg.count(lane).finite, lane != bad);
              if (lane == bad) {
                EXPECT_LE(apg.count(lane).gradients, after + 1);
                for (const float w : answer(apg, lane)) EXPECT_TRUE(std::isfinite(w));
              } else {
                EXPECT_EQ(answer(apg, lane), answer(healthy, lane))
                    << "lane " << bad << " fails after " << after;
              }
            }
          }
      }
}

TEST(Apg, bad_options_are_named) {
  EXPECT_THROW(Apg(d, 1, {.iterations = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 1, .gamma = 0}), Error);
  EXPECT_THROW(Apg(d, 1, {.iterations = 1, .sections = 1, .gamma = 1, .step = NAN}), Error);
}

}  // namespace
}  // namespace scfe
