// Rules between features on answers: nothing written breaks one, and tiny problems are solved as enumeration
// does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "scfe/diagnostics.h"
#include "scfe/error.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

using test::random_network;
using test::Uniform;
using Values = std::vector<double>;

constexpr std::size_t a = 0, b = 1, c = 2, d = 3, kind = 4;
constexpr double rounding = 1e-8;

// What a rule means, said once more without the library.
struct Case {
  std::string name;
  std::vector<std::string> rules;
  std::function<bool(const Values& factual, const Values& x)> holds;
  std::function<double(const Values& x)> derived = {};  // of d
};

bool moved(const Values& from, const Values& to, std::initializer_list<std::size_t> features) {
  for (const std::size_t f : features)
    if (from[f] != to[f]) return true;
  return false;
}

double hundredths(double x) { return std::round(x * 100) / 100; }

const Case cases[] = {
    {"order",
     {"a <= b"},
     [](const Values& f, const Values& x) {
       return !moved(f, x, {a, b}) || x[a] <= x[b] + rounding;
     }},
    {"sum",
     {"a + b + c = 6"},
     [](const Values& f, const Values& x) {
       return !moved(f, x, {a, b, c}) || std::abs(x[a] + x[b] + x[c] - 6) <= rounding;
     }},
    {"weighted",
     {"2 * a - c <= 3 - b / 2", "a >= c - 3"},
     [](const Values& f, const Values& x) {
       return (!moved(f, x, {a, b, c}) || 2 * x[a] - x[c] <= 3 - x[b] / 2 + rounding) &&
              (!moved(f, x, {a, c}) || x[a] >= x[c] - 3 - rounding);
     }},
    {"together",
     {"at most 1 of a, b, kind", "at most 1 of c, d"},
     [](const Values& f, const Values& x) {
       return moved(f, x, {a}) + moved(f, x, {b}) + moved(f, x, {kind}) <= 1 &&
              moved(f, x, {c}) + moved(f, x, {d}) <= 1;
     }},
    {"derived",
     {"d := a - b / 2"},
     [](const Values&, const Values&) { return true; },
     [](const Values& x) { return hundredths(x[a] - x[b] / 2); }},
    {"ratio",
     {"d := a / (b + 1)", "d <= 1.5"},
     [](const Values& f, const Values& x) { return !moved(f, x, {d}) || x[d] <= 1.5 + rounding; },
     [](const Values& x) { return hundredths(x[a] / (x[b] + 1)); }},
    {"everything",
     {"a <= b + 1", "d := a + c", "at most 1 of b, kind"},
     [](const Values& f, const Values& x) {
       return (!moved(f, x, {a, b}) || x[a] <= x[b] + 1 + rounding) &&
              moved(f, x, {b}) + moved(f, x, {kind}) <= 1;
     },
     [](const Values& x) { return hundredths(x[a] + x[c]); }},
    {"implication",
     {"if kind = 'x' and a > 2 then b <= 1.5 and c not in (0, 0.1)", "if kind in ('y', 'z') then a >= 0.5"},
     [](const Values& f, const Values& x) {
       const bool first = x[kind] != 0 || x[a] <= 2 || (x[b] <= 1.5 && x[c] != 0 && x[c] != 0.1);
       return (!moved(f, x, {kind, a, b, c}) || first) &&
              (!moved(f, x, {kind, a}) || x[kind] == 0 || x[a] >= 0.5);
     }},
    {"change",
     {"if a rises then b rises", "if kind changes then c stays", "if d falls then c falls"},
     [](const Values& f, const Values& x) {
       return (x[a] <= f[a] || x[b] > f[b]) && (x[kind] == f[kind] || x[c] == f[c]) &&
              (x[d] >= f[d] || x[c] < f[c]);
     }},
    {"equivalence",
     {"a = 0 if and only if kind = 'z'"},
     [](const Values& f, const Values& x) {
       return !moved(f, x, {a, kind}) || (x[a] == 0) == (x[kind] == 2);
     }},
    {"map",
     {"d := map(kind, 'z': -1, 'x': 1, 'y': 2.5)", "if d >= 2 then a <= 3"},
     [](const Values& f, const Values& x) {
       return !moved(f, x, {d, a}) || x[d] < 2 || x[a] <= 3;
     },
     [](const Values& x) { return x[kind] == 0   ? 1
                                  : x[kind] == 1 ? 2.5
                                                 : -1; }},
};

// a, b, c from 0 to 4 in tenths, d in hundredths, a category of three levels; labels by a random network.
struct Problem {
  std::vector<Feature> features = std::vector<Feature>(5);
  std::shared_ptr<const Model> model;
  Training training;

  Problem(const Case& which, std::uint64_t seed) : model(random_network(7, 1, seed)) {
    const char* names[] = {"a", "b", "c", "d", "kind"};
    for (std::size_t f = 0; f < 5; ++f) features[f].name = names[f];
    for (std::size_t f = 0; f < 4; ++f) features[f].min = f == d ? -4 : 0, features[f].max = f == d ? 8 : 4;
    for (const std::size_t f : {a, b, c}) features[f].step = 0.1;
    features[d].step = which.derived ? 0.01 : 0.1;
    features[kind].kind = Kind::categorical;
    features[kind].levels = {"x", "y", "z"};
    Uniform random(seed + 1);
    training.features = features;
    training.rules = which.rules;
    training.rows = Matrix(120, 7);
    for (std::size_t i = 0; i < 120; ++i) {
      Values x(5);
      for (const std::size_t f : {a, b, c, d}) x[f] = random.integer(0, 40) / 10.0;
      while (which.name == "sum" && (x[a] + x[b] < 2 || x[a] + x[b] > 6)) x[a] = random.integer(0, 40) / 10.0;
      if (which.name == "sum" && i % 4 != 0) x[c] = std::round(10 * (6 - x[a] - x[b])) / 10;
      if (which.derived && i % 4 != 0) x[d] = which.derived(x);
      x[kind] = random.integer(0, 2);
      inputs_of(x, training.rows[i]);
      training.labels.push_back(logit({x}, 1)[0] > 0);
    }
  }

  static void inputs_of(const Values& x, std::span<double> inputs) {
    for (std::size_t f = 0; f < 4; ++f) inputs[f] = x[f];
    for (std::size_t level = 0; level < 3; ++level) inputs[4 + level] = x[kind] == static_cast<double>(level);
  }
  static Values values_of(std::span<const double> inputs) {
    Values x(inputs.begin(), inputs.begin() + 4);
    for (std::size_t level = 0; level < 3; ++level)
      if (inputs[4 + level] == 1) x.push_back(static_cast<double>(level));
    return x;
  }
  // Many rows at once.
  std::vector<float> logit(const std::vector<Values>& rows, std::size_t count) const {
    Block x(7, count), z(1, count);
    std::vector<double> inputs(7);
    for (std::size_t lane = 0; lane < count; ++lane) {
      inputs_of(rows[lane], inputs);
      for (std::size_t j = 0; j < 7; ++j) x[j][lane] = static_cast<float>(inputs[j]);
    }
    const auto tape = model->tape(count);
    model->forward(x, z, *tape);
    return {z[0], z[0] + count};
  }
};

Options plain(int changes, int threads = 2) {
  Options options;
  options.density = DensityKind::none;
  options.max_changes = changes;
  options.fewest_first = false;
  options.threads = threads;
  return options;
}

// Whether d has to be computed anew.
bool stale(const Case& which, const Values& from, const Values& to) {
  if (which.name == "map") return moved(from, to, {kind});
  return which.name == "everything" ? moved(from, to, {a, c}) : moved(from, to, {a, b});
}

std::size_t changes_of(const Case& which, const Values& from, const Values& to) {
  std::size_t count = 0;
  for (std::size_t f = 0; f < 5; ++f) count += from[f] != to[f] && !(f == d && which.derived);
  return count;
}

void expect_kept(const Case& which, const Values& from, const Values& to) {
  EXPECT_TRUE(which.holds(from, to)) << which.name;
  if (which.derived) {
    EXPECT_NEAR(to[d], stale(which, from, to) ? which.derived(to) : from[d], 1e-12) << which.name;
  }
  EXPECT_GE(to[d], -4);
  EXPECT_LE(to[d], 8);
  for (const std::size_t f : {a, b, c}) {
    EXPECT_GE(to[f], std::min(0.0, from[f])) << which.name;
    EXPECT_LE(to[f], std::max(4.0, from[f])) << which.name;
    EXPECT_NEAR(to[f] * 10, std::round(to[f] * 10), 1e-9) << which.name;
  }
}

TEST(RulesOnAnswers, hold_whatever_the_solver_and_the_threads) {
  for (const Case& which : cases) {
    std::size_t changed = 0;
    for (const std::uint64_t seed : {11U, 22U}) {
      const Problem problem(which, seed);
      const Matrix factuals = test::first_rows(problem.training.rows, 24);
      for (const Solver solver : {Solver::automatic, Solver::apg}) {
        Options options = plain(3);
        options.density = DensityKind::automatic;
        options.plausible = seed == 11 ? 0.1 : 0;
        options.solver = solver;
        options.iterations = 50;
        const Explainer explainer(problem.model, problem.training, options);
        const auto answers = explainer.explain(factuals, options);
        options.threads = 1;
        const auto again = explainer.explain(factuals, options);
        for (std::size_t i = 0; i < answers.size(); ++i) {
          const Values from = Problem::values_of(factuals[i]),
                       to = Problem::values_of(answers[i].counterfactual);
          expect_kept(which, from, to);
          EXPECT_TRUE(Diagnostics(explainer).broken_rules(factuals[i], answers[i].counterfactual).empty());
          EXPECT_EQ(answers[i].counterfactual, again[i].counterfactual);
          EXPECT_EQ(answers[i].changes.size(), changes_of(which, from, to)) << which.name;
          changed += answers[i].changes.size();
        }
      }
    }
    EXPECT_GT(changed, 20U) << which.name;
  }
}

// The cheapest row with at most `most` changes, by plain enumeration.
class Enumeration {
 public:
  Enumeration(const Problem& problem, const Case& which, const Values& ranges)
      : problem_(problem), case_(which), ranges_(ranges) {}

  double cheapest(const Values& factual, bool up, std::size_t most) {
    factual_ = factual;
    up_ = up;
    best_ = INFINITY;
    Values x = factual;
    visit(x, 0, most, 0);
    flush();
    return std::sqrt(best_);
  }

 private:
  void visit(Values& x, std::size_t f, std::size_t left, double cost) {
    if (cost >= best_) return;
    if (f == 5) return add(x, cost);
    visit(x, f + 1, left, cost);
    const bool open = left > 0 && !(f == d && case_.derived);
    if (!open) return;
    const int from = f == d ? -40 : 0, to = f == kind ? 2 : f == d ? 80 : 40;
    for (int k = from; k <= to; ++k) {
      const double value = f == kind ? k : k / 10.0;
      if (value == factual_[f]) continue;
      const double step = (value - factual_[f]) / ranges_[f];
      x[f] = value;
      visit(x, f + 1, left - 1, cost + (f == kind ? 0.5 : step * step));
    }
    x[f] = factual_[f];
  }
  void add(const Values& x, double cost) {
    Values row = x;
    if (case_.derived && stale(case_, factual_, x)) row[d] = case_.derived(row);
    if (row[d] < std::min(-4.0, factual_[d]) || row[d] > std::max(8.0, factual_[d])) return;
    if (!case_.holds(factual_, row)) return;
    rows_.push_back(row);
    costs_.push_back(cost);
    if (rows_.size() == 512) flush();
  }
  void flush() {
    if (rows_.empty()) return;
    const std::vector<float> z = problem_.logit(rows_, rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if ((up_ ? z[i] : -z[i]) >= 1e-4F) best_ = std::min(best_, costs_[i]);
    rows_.clear();
    costs_.clear();
  }

  const Problem& problem_;
  const Case& case_;
  Values ranges_, factual_;
  bool up_ = false;
  double best_ = INFINITY;
  std::vector<Values> rows_;
  Values costs_;
};

TEST(RulesOnAnswers, are_the_cheapest_that_enumeration_finds) {
  for (const Case& which : cases) {
    int feasible = 0, close = 0;
    for (const std::uint64_t seed : {5U, 8U, 9U, 12U, 15U, 16U}) {
      const Problem problem(which, seed);
      const auto ones = std::ranges::count(problem.training.labels, 1);
      if (ones < 5 || ones > 115) continue;
      Values ranges(5, 1.0);
      for (std::size_t f = 0; f < 4; ++f) {
        double lo = INFINITY, hi = -INFINITY;
        for (std::size_t i = 0; i < problem.training.rows.rows; ++i) {
          lo = std::min(lo, problem.training.rows[i][f]);
          hi = std::max(hi, problem.training.rows[i][f]);
        }
        ranges[f] = hi - lo;
      }
      const Matrix factuals = test::first_rows(problem.training.rows, 16);
      const Explainer explainer(problem.model, problem.training, plain(2));
      const auto answers = explainer.explain(factuals, plain(2));
      Enumeration enumeration(problem, which, ranges);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        const Values from = Problem::values_of(factuals[i]);
        const double limit = enumeration.cheapest(from, answers[i].target == 1, 2);
        if (!std::isfinite(limit)) {
          EXPECT_FALSE(answers[i].found()) << which.name;
          continue;
        }
        ++feasible;
        const bool found = answers[i].status == Status::valid;
        close += found && answers[i].l2 <= 1.01 * limit + 1e-9;
        if (found) EXPECT_GE(answers[i].l2, limit - 1e-6) << which.name << ": closer than every row there is";
      }
    }
    EXPECT_GE(feasible, 8) << which.name;
    EXPECT_GE(close, std::floor(0.95 * feasible)) << which.name << " of " << feasible;
  }
}

TEST(RulesOnAnswers, travel_with_the_explainer) {
  const Problem problem(cases[0], 3);
  const Explainer explainer(problem.model, problem.training, plain(2));
  EXPECT_EQ(explainer.rules(), std::vector<std::string>{"a <= b"});
  const Explainer free = explainer.with_rules({});
  EXPECT_TRUE(free.rules().empty());
  const Explainer derived = free.with_rules({"d := a + b"});
  EXPECT_TRUE(Diagnostics(derived).is_derived(d));
  EXPECT_FALSE(Diagnostics(free).is_derived(d));
  EXPECT_THROW((void)free.with_rules({"d := e"}), Error);
}

}  // namespace
}  // namespace scfe
