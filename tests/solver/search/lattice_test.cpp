// Answers among the values that can be written, against enumeration of all of them: numbers whose steps are
// coarse, under every distance, with and without a floor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scfe/diagnostics.h"
#include "scfe/explainer.h"
#include "tests/helper/toy.h"
#include "tests/helper/uniform.h"

namespace scfe {
namespace {

using test::Uniform;

constexpr double steps[] = {0.05, 0.04, 0.025, 0.01};  // from 21 to 101 values between 0 and 1

// Curved scores without valleys, so that it is rounding alone that makes an answer farther than need be.
std::shared_ptr<const Model> curved_model(std::size_t scores, Uniform& random) {
  Matrix linear(scores, std::size(steps)), square(scores, std::size(steps));
  std::vector<double> bias;
  for (double& x : linear.values) x = random(-3, 3);
  for (double& x : square.values) x = random(-0.6, 0.6);
  for (std::size_t k = 0; k < scores; ++k) {
    bias.push_back(scores == 1 ? -0.5 : 0);  // so that the classes meet near the middle
    for (std::size_t f = 0; f < std::size(steps); ++f) bias[k] -= (linear[k][f] + square[k][f] * 0.5) * 0.5;
  }
  return std::make_shared<test::QuadraticModel>(linear, square, bias);
}

// Rows on the grid, labelled by the model.
struct GridProblem {
  std::shared_ptr<const Model> model;
  Training training;

  GridProblem(std::uint64_t seed, std::size_t scores) {
    Uniform random(seed);
    model = curved_model(scores, random);
    training.rows = Matrix(80, std::size(steps));
    for (std::size_t i = 0; i < training.rows.rows; ++i)
      for (std::size_t f = 0; f < std::size(steps); ++f)
        training.rows[i][f] = on_grid(f, random.integer(0, static_cast<int>(std::round(1 / steps[f]))));
    for (const double step : steps) {
      Feature& feature = training.features.emplace_back();
      feature.name = "x" + std::to_string(training.features.size());
      feature.min = 0;
      feature.max = 1;
      feature.step = step;
      feature.weight = 0.5 + 0.5 * static_cast<double>(training.features.size());
    }
    training.labels.assign(training.rows.rows, 0);
    Options options;
    options.density = DensityKind::none;
    training.labels = Explainer(model, training, options).predict(training.rows);
  }

  static double on_grid(std::size_t f, int k) { return std::round(k * steps[f] * 1000) / 1000; }
};

// All rows with at most as many changes as asked for, and their distances by the definitions in
// docs/concepts.md.
class Lattice {
 public:
  Lattice(const GridProblem& problem, std::span<const double> from, const Options& options)
      : problem_(problem), from_(from), distance_kind_(options.distance), row_(from.begin(), from.end()) {
    for (std::size_t f = 0; f < row_.size(); ++f) {
      std::vector<double> column;
      for (std::size_t i = 0; i < problem.training.rows.rows; ++i)
        column.push_back(problem.training.rows[i][f]);
      const auto [lo, hi] = std::ranges::minmax(column);
      ranges_.push_back(hi - lo);
    }
    for (std::size_t f = 0; f < row_.size(); ++f)
      each_value(f, [&] {
        add();
        for (std::size_t g = f + 1; options.max_changes > 1 && g < row_.size(); ++g)
          each_value(g, [&] { add(); });
      });
  }

  double distance_of(std::span<const double> to) const {
    double sum = 0, weights = 0;
    for (std::size_t f = 0; f < to.size(); ++f) {
      const double weight = problem_.training.features[f].weight, d = std::abs(to[f] - from_[f]) / ranges_[f];
      weights += weight;
      sum += weight * (distance_kind_ == Distance::l2 ? d * d : d);
    }
    if (distance_kind_ == Distance::l2) return std::sqrt(sum);
    return distance_kind_ == Distance::gower ? sum / weights : sum;
  }

  // The least distance of a row of the class, above the floor if there is one; infinite if there is none.
  double least(const Explainer& explainer, int target, double share) const {
    const std::vector<int> predicted = explainer.predict(rows_);
    const Diagnostics diagnostics(explainer);
    const double floor = share > 0 ? diagnostics.floor(target, share) : 0;
    std::vector<std::size_t> order(distance_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return distance_[i]; });
    for (const std::size_t i : order)
      if (predicted[i] == target &&
          (share == 0 || diagnostics.typicality(from_, rows_[i], target).log_density >= floor))
        return distance_[i];
    return INFINITY;
  }

 private:
  void add() {
    rows_.values.insert(rows_.values.end(), row_.begin(), row_.end());
    ++rows_.rows;
    distance_.push_back(distance_of(row_));
  }
  template <class Visit>
  void each_value(std::size_t f, const Visit& visit) {
    for (int k = 0; k <= static_cast<int>(std::round(1 / steps[f])); ++k) {
      row_[f] = GridProblem::on_grid(f, k);
      if (row_[f] != from_[f]) visit();
    }
    row_[f] = from_[f];
  }

  const GridProblem& problem_;
  std::span<const double> from_;
  Distance distance_kind_;
  std::vector<double> row_, ranges_, distance_;
  Matrix rows_{0, std::size(steps)};
};

struct Counts {
  double possible = 0, found = 0, close = 0;
};

Counts compare(const GridProblem& problem, Options options, std::size_t most_rows) {
  const Explainer explainer(problem.model, problem.training, options);
  Counts counts;
  Matrix factuals(0, std::size(steps));
  for (std::size_t i = 0; i < problem.training.rows.rows && factuals.rows < most_rows; ++i) {
    if (problem.training.labels[i] == 1) continue;
    const auto row = problem.training.rows[i];
    factuals.values.insert(factuals.values.end(), row.begin(), row.end());
    ++factuals.rows;
  }
  options.target = 1;
  const std::vector<Explanation> answers = explainer.explain(factuals, options);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Lattice lattice(problem, factuals[i], options);
    const double least = lattice.least(explainer, 1, options.plausible);
    if (!std::isfinite(least)) continue;
    ++counts.possible;
    if (answers[i].status != Status::valid) continue;
    ++counts.found;
    const double distance = lattice.distance_of(answers[i].counterfactual);
    EXPECT_GE(distance, least * (1 - 1e-9));
    counts.close += distance <= 1.01 * least + 1e-12;
  }
  return counts;
}

Options question(Distance distance, int changes) {
  Options options;
  options.distance = distance;
  options.weights = Weighting::schema;
  options.max_changes = changes;
  options.fewest_first = false;
  options.hints = false;
  options.density = DensityKind::none;
  options.plausible = 0;
  return options;
}

TEST(LatticeAgainstEnumeration, answers_are_the_closest_that_can_be_written) {
  for (const Distance distance : {Distance::l2, Distance::l1, Distance::gower})
    for (const int changes : {1, 2}) {
      Counts sum;
      for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U}) {
        const GridProblem problem(seed, 1 + seed % 3);
        const Counts counts = compare(problem, question(distance, changes), 10);
        sum.possible += counts.possible;
        sum.found += counts.found;
        sum.close += counts.close;
      }
      SCOPED_TRACE(std::string(name_of(distance)) + ", changes: " + std::to_string(changes));
      EXPECT_GE(sum.possible, 40);
      EXPECT_GE(sum.found, 0.99 * sum.possible);
      EXPECT_GE(sum.close, 0.97 * sum.possible) << sum.possible;
    }
}

TEST(LatticeAgainstEnumeration, so_are_those_above_a_floor) {
  for (const Distance distance : {Distance::l2, Distance::l1}) {
    Counts sum;
    for (const std::uint64_t seed : {11U, 12U, 13U, 14U, 15U, 16U}) {
      Options options = question(distance, 2);
      options.density = DensityKind::kde;
      options.plausible = 0.25;
      options.below_floor = BelowFloor::none;
      const Counts counts = compare(GridProblem(seed, 2), options, 8);
      sum.possible += counts.possible;
      sum.found += counts.found;
      sum.close += counts.close;
    }
    SCOPED_TRACE(name_of(distance));
    EXPECT_GE(sum.possible, 20);
    EXPECT_GE(sum.found, 0.99 * sum.possible);
    EXPECT_GE(sum.close, 0.97 * sum.possible) << sum.possible;
  }
}

}  // namespace
}  // namespace scfe
