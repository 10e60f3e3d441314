// Rows under rules between features against plain enumeration: what is called proven is the closest row that
// keeps the rules, whether the answer without rules kept them or not, and no bit depends on the rows beside.
#include "plan/relaxation.h"

#include <gtest/gtest.h>

#include "model/trees/ensemble.h"
#include "tests/explainer/batches.h"

namespace scfe {
namespace {

using Values = std::vector<double>;
enum : std::size_t { school, grade, role, a, b, k, features };
constexpr std::array<double, 4> grade_of = {2, 9, 5, 14};

struct RuleSet {
  std::string name;
  std::vector<std::string> rules;
  bool (*keeps)(const Values& x,
                const Values& factual);  // said once more; the map is kept by the enumeration
  bool has_map;
};

bool moved(const Values& x, const Values& from, std::initializer_list<std::size_t> of) {
  return std::ranges::any_of(of, [&](std::size_t f) { return x[f] != from[f]; });
}

const std::string map = R"(grade := map(school, "s0": 2, "s1": 9, "s2": 5, "s3": 14))";
const std::vector<RuleSet>& rule_sets() {
  static const std::vector<RuleSet> sets = {
      {"implications",
       {map, R"(if role = "p" then a > 2)", "if k = 0 then b != 3", "if b < 2 then k != 4"},
       [](const Values& x, const Values& from) {
         return !(moved(x, from, {role, a}) && x[role] == 0 && !(x[a] > 2)) &&
                !(moved(x, from, {k, b}) && x[k] == 0 && x[b] == 3) &&
                !(moved(x, from, {k, b}) && x[b] < 2 && x[k] == 4);
       },
       true},
      {"order",
       {"a <= b"},
       [](const Values& x, const Values& from) {
         return !moved(x, from, {a, b}) || x[a] <= x[b];
       },
       false},
      {"at most",
       {map, "at most 1 of role, b"},
       [](const Values& x, const Values& from) { return x[role] == from[role] || x[b] == from[b]; },
       true},
  };
  return sets;
}

// Inputs: school (4 levels), grade, role (3 levels), a, b, k.
constexpr std::size_t inputs = 11;

Values inputs_of(const Values& x) {
  Values row(inputs);
  row[static_cast<std::size_t>(x[school])] = 1;
  row[4] = x[grade];
  row[5 + static_cast<std::size_t>(x[role])] = 1;
  row[8] = x[a], row[9] = x[b], row[10] = x[k];
  return row;
}

Training table(const Model& model, std::size_t rows, std::uint64_t seed) {
  test::Uniform random(seed);
  Training training;
  training.rows = Matrix(rows, inputs);
  for (std::size_t i = 0; i < rows; ++i) {
    Values x(features);
    x[school] = random.integer(0, 3);
    // Some rows break the map.
    x[grade] = random.chance(0.05) ? 3 : grade_of[static_cast<std::size_t>(x[school])];
    x[role] = random.integer(0, 2);
    x[a] = random.integer(0, 6), x[b] = random.integer(0, 6), x[k] = random.integer(0, 4);
    std::ranges::copy(inputs_of(x), training.rows[i].begin());
    training.labels.push_back(test::score_of(model, training.rows[i], 0) > 0);
  }
  training.features = {{.name = "school"}, {.name = "grade"}, {.name = "role"},
                       {.name = "a"},      {.name = "b"},     {.name = "k"}};
  for (const std::size_t f : {grade, a, b, k}) training.features[f].kind = Kind::integer;
  training.features[school].kind = training.features[role].kind = Kind::categorical;
  training.features[school].levels = {"s0", "s1", "s2", "s3"};
  training.features[role].levels = {"p", "q", "r"};
  return training;
}

std::shared_ptr<const Model> trees(std::uint64_t seed) {
  test::Uniform random(seed);
  Ensemble e;
  e.inputs = inputs;
  e.base = {random(-0.3, 0.3)};
  const std::array<double, inputs> top = {1, 1, 1, 1, 16, 1, 1, 1, 6, 6, 4};
  const auto grow = [&](const auto& self, int depth) -> std::uint32_t {
    e.nodes.emplace_back();
    const auto at = static_cast<std::uint32_t>(e.nodes.size() - 1);
    if (depth == 0) {
      e.nodes[at].first = static_cast<std::uint32_t>(e.values.size());
      e.values.push_back({0, random(-1, 1)});
      e.nodes[at].last = e.nodes[at].first + 1;
      return at;
    }
    const auto input = static_cast<std::uint32_t>(random.integer(0, inputs - 1));
    const double threshold = random(0, top[input]);
    const std::uint32_t yes = self(self, depth - 1), no = self(self, depth - 1);
    set_branch(e, at, {input, Compare::less_equal, threshold, false, yes, no});
    return at;
  };
  for (int t = 0; t < 12; ++t) e.roots.push_back(grow(grow, 3));
  return ensemble_model(std::move(e), "trees");
}

std::shared_ptr<const Model> line(std::uint64_t seed) {
  test::Uniform random(seed);
  std::vector<double> w;
  for (std::size_t i = 0; i < inputs; ++i) w.push_back(random(-1, 1) / (i == 4 ? 8 : i > 7 ? 3 : 1));
  return test::linear_model(w, random(-0.5, 0.5));
}

// All rows within the ranges, and the class of each.
struct Candidates {
  std::vector<Values> rows;
  std::vector<int> classes;

  explicit Candidates(const Explainer& explainer, bool has_map) {
    Values x(features);
    for (x[school] = 0; x[school] < 4; ++x[school])
      for (const double g : {2., 3., 5., 9., 14.})
        for (x[role] = 0; x[role] < 3; ++x[role])
          for (x[a] = 0; x[a] < 7; ++x[a])
            for (x[b] = 0; x[b] < 7; ++x[b])
              for (x[k] = 0; x[k] < 5; ++x[k]) {
                x[grade] = g;
                if (has_map || g != 3) rows.push_back(x);
              }
    Matrix all(rows.size(), inputs);
    for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(inputs_of(rows[i]), all[i].begin());
    classes = explainer.predict(all);
  }
};

struct Closest {
  std::size_t changes = 99;
  double distance = INFINITY;
};

// With a map, the grade follows a school that changes and stays beside one that does not. Without one, grades
// between those listed are candidates as well, so that only questions with a map are enumerated completely.
Closest enumerate(const Candidates& all, const RuleSet& set, const Explainer& explainer, const Values& from,
                  std::size_t most) {
  Closest best;
  const Values asked = inputs_of(from);
  Matrix row(1, inputs);
  std::ranges::copy(asked, row[0].begin());
  const int target = 1 - explainer.predict(row)[0];
  for (std::size_t i = 0; i < all.rows.size(); ++i) {
    const Values& x = all.rows[i];
    if (all.classes[i] != target) continue;
    if (set.has_map &&
        x[grade] != (x[school] == from[school] ? from[grade] : grade_of[static_cast<std::size_t>(x[school])]))
      continue;
    std::size_t changes = 0;
    for (std::size_t f = 0; f < features; ++f) changes += x[f] != from[f] && !(set.has_map && f == grade);
    if (changes > std::min(most, best.changes) || !set.keeps(x, from)) continue;
    const double distance = Diagnostics(explainer).change(asked, inputs_of(x)).distance;
    if (changes < best.changes || distance < best.distance) best = {changes, distance};
  }
  return best;
}

Values values_of(std::span<const double> row) {
  Values x(features);
  for (std::size_t l = 0; l < 4; ++l)
    if (row[l] == 1) x[school] = static_cast<double>(l);
  for (std::size_t l = 0; l < 3; ++l)
    if (row[5 + l] == 1) x[role] = static_cast<double>(l);
  x[grade] = row[4], x[a] = row[8], x[b] = row[9], x[k] = row[10];
  return x;
}

TEST(Relaxation, proven_answers_are_the_closest_that_keep_the_rules) {
  constexpr std::size_t rows = 40;
  for (const bool is_tree : {true, false}) {
    int complete = 0, bound = 0, free = 0;
    for (const RuleSet& set : rule_sets())
      for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const auto model = is_tree ? trees(seed) : line(seed);
        const Training training = table(*model, 300, seed);
        Options options;
        options.plausible = 0;
        options.max_changes = 2;
        options.hints = false;
        options.solver = Solver::exact;
        const Explainer plain(model, training, options), explainer = plain.with_rules(set.rules);
        const Candidates all(explainer, set.has_map);
        const Matrix asked = test::first_rows(training.rows, rows);
        const std::vector<Explanation> lifted = plain.explain(asked, options);
        const std::vector<Explanation> found = explainer.explain(asked, options);
        for (std::size_t i = 0; i < rows; ++i) {
          const Explanation& e = found[i];
          const std::string what = set.name + ", seed " + std::to_string(seed) + ", row " + std::to_string(i);
          const Values from = values_of(asked[i]), to = values_of(e.counterfactual);
          EXPECT_TRUE(!e.found() || set.keeps(to, from)) << what;
          const bool follows = from[grade] == grade_of[static_cast<std::size_t>(from[school])];
          // Trees: whatever is finite is proven.
          const bool is_finite = is_tree && set.has_map && follows;
          EXPECT_TRUE(!is_finite || e.proof == Proof::closest) << what;
          (lifted[i].found() && !set.keeps(values_of(lifted[i].counterfactual), from) ? bound : free)++;
          if (!set.has_map || e.proof != Proof::closest) continue;
          ++complete;
          const Closest best = enumerate(all, set, explainer, from, 2);
          EXPECT_EQ(e.found(), best.changes < 99) << what;
          if (!e.found()) continue;
          EXPECT_EQ(e.changes.size(), best.changes) << what;
          EXPECT_NEAR(e.distance, best.distance, 1e-6) << what;
        }
      }
    EXPECT_GE(complete, 200) << is_tree;
    EXPECT_GE(bound, 20) << is_tree;
    EXPECT_GE(free, 100) << is_tree;
  }
}

TEST(Relaxation, batches_of_bound_and_free_rows_give_the_same_bits) {
  test::Tally tally;
  for (const RuleSet& set : rule_sets())
    for (const auto& model : {trees(4), test::random_network(inputs, 1, 4)})
      for (const double plausible : {0.0, 0.1}) {
        Options options;
        options.plausible = plausible;
        options.max_changes = 2;
        const Training training = table(*model, 200, 5);
        const Explainer explainer = Explainer(model, training, options).with_rules(set.rules);
        const test::Batch batch = test::make_batch(explainer, *model, training, {8, 9, 10});
        test::expect_same_bits(batch, options, set.name, tally);
      }
  EXPECT_GE(tally.answers, 100);
  EXPECT_GE(tally.proofs, 20);
}

// The search over numbers takes inequalities as they are: one change is compared with a fine grid.
TEST(Relaxation, numbers_under_orders) {
  const std::vector<std::string> orders = {"x0 <= x1", "x2 <= x3 + 0.2"};
  constexpr std::size_t count = 6, cells = 1000;
  const auto keeps = [](std::span<const double> x, std::span<const double> from) {
    const auto stays = [&](std::size_t f) { return x[f] == from[f]; };
    return ((stays(0) && stays(1)) || x[0] <= x[1] + 1e-9) &&
           ((stays(2) && stays(3)) || x[2] <= x[3] + 0.2 + 1e-9);
  };
  int compared = 0, close = 0, bound = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto model = test::random_network(count, 1, seed);
    Training training = test::labelled_by(*model, 150, seed);
    for (std::size_t f = 0; f < count; ++f) training.features.push_back({.name = "x" + std::to_string(f)});
    Options options;
    options.plausible = 0;
    options.hints = false;
    const Explainer plain(model, training, options), explainer = plain.with_rules(orders);
    const Matrix asked = test::first_rows(training.rows, 30);
    for (const int changes : {1, 3}) {
      options.max_changes = changes;
      const auto free = plain.explain(asked, options), found = explainer.explain(asked, options);
      for (std::size_t i = 0; i < asked.rows; ++i) {
        const bool kept = !found[i].found() || keeps(found[i].counterfactual, asked[i]);
        EXPECT_TRUE(kept) << seed << ' ' << i;
        bound += free[i].found() && !keeps(free[i].counterfactual, asked[i]);
        if (changes > 1) continue;
        double best = INFINITY;
        Matrix trials(cells + 1, count);
        for (std::size_t f = 0; f < count; ++f) {
          const Feature& feature = explainer.features()[f];
          for (std::size_t c = 0; c <= cells; ++c) {
            std::ranges::copy(asked[i], trials[c].begin());
            trials[c][f] = *feature.min + (*feature.max - *feature.min) * static_cast<double>(c) / cells;
          }
          const std::vector<int> classes = explainer.predict(trials);
          for (std::size_t c = 0; c <= cells; ++c)
            if (classes[c] == found[i].target && keeps(trials[c], asked[i]))
              best = std::min(best, Diagnostics(explainer).change(asked[i], trials[c]).distance);
        }
        if (std::isinf(best)) continue;
        ++compared;
        ASSERT_TRUE(found[i].found()) << seed << ' ' << i;
        close += found[i].distance <= best * 1.01;
      }
    }
  }
  EXPECT_GE(compared, 60);
  EXPECT_GE(close, 0.95 * compared);  // a search, which may end at a farther side of a wave
  EXPECT_GE(bound, 10);
}

}  // namespace
}  // namespace scfe
