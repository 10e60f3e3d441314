// Every solver of the catalogue and every stage of the plan answers some row: none of them is dead.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "actionability/features.h"
#include "plan/plan.h"
#include "plausibility/catalogue.h"
#include "query/make_row.h"
#include "scfe/bundle.h"
#include "tests/helper/clouds.h"

namespace scfe {
namespace {

// What a query is fitted for, and the rows that are not in class 1.
class Plan {
 public:
  Plan(std::shared_ptr<const Model> model, const Training& training, Options options)
      : model_(std::move(model)), options_(std::move(options)) {
    const std::size_t inputs = model_->features();
    features_ = complete_features(training.features, training.rows);
    for (const Feature& feature : features_) writing_.step.push_back(*feature.step);
    space_ = Space(features_, min_max_scaling(training.rows), std::vector<double>(inputs, 1.0));
    std::vector<double> own, others;
    const std::vector<int> labels = test::labels_of(*model_, training.rows);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::vector<double>& rows = labels[i] == 1 ? own : others;
      rows.insert(rows.end(), training.rows[i].begin(), training.rows[i].end());
    }
    factuals_ = Matrix(others.size() / inputs, inputs);
    factuals_.values = others;
    Matrix target(own.size() / inputs, inputs);
    target.values = own;
    DensityOptions how;
    how.group = space_.groups();
    density_ = fit_density(options_.density, space_.to_work(target), how);
    fitted_.emplace(Fitted{*model_, space_, writing_, rules_, features_, density_, {}, features_, {}, {}});
  }

  // The rows with a floor at this share of the class; 0: none.
  std::vector<Row> rows(double plausible) {
    options_.plausible = plausible;
    std::vector<std::size_t> index(std::min<std::size_t>(factuals_.rows, 25));
    std::iota(index.begin(), index.end(), std::size_t{0});
    return make_rows(query(), {factuals_, index}, index);
  }
  std::vector<Found> solve(std::span<const Row> rows) const {
    std::vector<Found> found(rows.size());
    scfe::solve(query(), rows, found);
    return found;
  }

 private:
  Query query() const { return {*fitted_, options_, 1, {}, pool_}; }

  std::shared_ptr<const Model> model_;
  Options options_;
  std::vector<Feature> features_;
  Writing writing_;
  Space space_;
  Rules rules_;
  Matrix factuals_;
  FittedDensity density_;
  mutable Pool pool_{1};
  std::optional<Fitted> fitted_;
};

Options searching(DensityKind density, int max_changes) {
  Options options;
  options.density = density;
  options.max_changes = max_changes;
  return options;
}

// How often each name was asked, and how often its answer was kept.
struct Count {
  int asked = 0, kept = 0;
};
using Counts = std::map<std::string_view, Count>;

void add(const std::vector<Found>& found, Counts& counts) {
  for (const Found& one : found)
    for (const Tried& tried : one.way) {
      ++counts[tried.name].asked;
      counts[tried.name].kept += tried.kept;
    }
}

// Binary features whose score only rises once all of the last `together` are 1. The first ones raise it a
// little, those after them are typical of the class: both lead a search astray.
struct DeadEnd {
  std::size_t raising, typical, together;

  std::size_t features() const { return raising + typical + together; }
  std::shared_ptr<const Model> model() const {
    Matrix hidden(2, features()), out(1, 2);
    for (std::size_t j = 0; j < features(); ++j) {
      const bool last = j >= raising + typical;
      hidden[0][j] = last ? 1 : 0;
      hidden[1][j] = last ? -0.1 : j < raising ? 0.01 : 0;
    }
    out.values = {3, 1};
    return dense_network({{hidden, {1 - static_cast<double>(together), 1}, "relu"}, {out, {-2}, "none"}});
  }
  Training rows() const {
    test::Uniform random(5);
    Training training;
    training.rows = Matrix(200, features());
    for (std::size_t i = 0; i < 200; ++i)
      for (std::size_t j = raising; j < features(); ++j) {
        const bool typical_of_all = j < raising + typical;
        training.rows[i][j] = i >= 25 && (typical_of_all || random.unit() < 0.9) ? 1 : 0;
      }
    training.features.assign(features(), Feature{.kind = Kind::binary});
    return training;
  }
};

// More than 64 features that are 0 or 1. Each of the first two alone gains nothing, so that a search by
// single moves takes others; but its slope is steep, and both together gain most.
struct Pair {
  static constexpr std::size_t features = 70;

  // score = f(a) + f(b) + 6 relu(a + b - 0.6) - 4.15 (a + b) + a hundredth of the others - 1,
  // with f(x) = relu(5x + 0.01) - relu(5x - 1.74), which rises to 1.75 at x = 0.35
  static std::shared_ptr<const Model> model() {
    Matrix hidden(6, features), out(1, 6);
    hidden[0][0] = hidden[1][0] = hidden[2][1] = hidden[3][1] = 5;
    hidden[4][0] = hidden[4][1] = 1;
    for (std::size_t j = 0; j < features; ++j) hidden[5][j] = j < 2 ? -4.15 : 0.01;
    out.values = {1, -1, 1, -1, 6, 1};
    return dense_network({{hidden, {0.01, -1.74, 0.01, -1.74, -0.6, 10}, "relu"}, {out, {-11}, "none"}});
  }
  static Training rows() {
    Training training;
    training.rows = Matrix(60, features);
    for (std::size_t i = 10; i < 60; ++i) training.rows[i][0] = training.rows[i][1] = 1;
    for (std::size_t i = 30; i < 60; ++i)
      for (std::size_t j = 2; j < features; ++j) training.rows[i][j] = (i + j) % 2 == 0 ? 1 : 0;
    training.features.assign(features, Feature{.kind = Kind::integer});
    return training;
  }
};

// Rows of numbers of which the first few have few values.
Training stepped_rows(const Model& model, std::size_t rows, std::size_t stepped) {
  Training training = test::labelled_by(model, rows, 8);
  training.features.resize(model.features());
  for (std::size_t j = 0; j < stepped; ++j) {
    training.features[j].step = 0.5;
    for (std::size_t i = 0; i < rows; ++i) training.rows[i][j] = std::round(2 * training.rows[i][j]) / 2;
  }
  return training;
}

Counts counts_of_all() {
  Counts counts;
  const auto trees = open_model(read_model_file(SCFE_SOURCE_DIR "/tests/fixtures/trees/xgboost_binary.json"));
  const auto linear = test::linear_model({1, -0.5, 2, 0.3, -1}, 0.2);
  const auto network = test::random_network(5, 1, 7), wide = test::random_network(80, 1, 11);
  Options grid = searching(DensityKind::gmm, 2);
  grid.sparsity = SparsityKind::l1;
  grid.iterations = 20;
  grid.sections = 3;
  Options apg = grid, closest = searching(DensityKind::kde, 2);
  grid.tune = true;
  closest.below_floor = BelowFloor::closest;
  Options unreachable = searching(DensityKind::none, 1);
  unreachable.probability = 0.999999;
  Plan plans[] = {{linear, test::labelled_by(*linear, 80, 5), searching(DensityKind::kde, 2)},
                  {linear, test::labelled_by(*linear, 80, 5), unreachable},
                  {trees, test::labelled_by(*trees, 120, 5), searching(DensityKind::kde, 2)},
                  {network, test::labelled_by(*network, 120, 5), searching(DensityKind::kde, 2)},
                  {network, test::labelled_by(*network, 120, 5), closest},
                  {network, test::labelled_by(*network, 80, 5), grid},
                  {network, test::labelled_by(*network, 80, 5), apg},
                  {network, stepped_rows(*network, 120, 2), searching(DensityKind::kde, 2)},
                  {wide, test::labelled_by(*wide, 200, 5), searching(DensityKind::none, 1)},
                  {wide, stepped_rows(*wide, 200, 30), searching(DensityKind::none, 1)},
                  {wide, stepped_rows(*wide, 200, 80), searching(DensityKind::none, 1)},
                  {wide, stepped_rows(*wide, 200, 30), searching(DensityKind::none, 2)}};
  for (Plan& plan : plans)
    for (const double plausible : {0.0, 0.5}) {
      std::vector<Row> rows = plan.rows(plausible);
      const std::vector<Found> found = plan.solve(rows);
      add(found, counts);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (found[i].answered()) rows[i].demand.taken_supports = {found[i].support};
      add(plan.solve(rows), counts);
    }
  Plan pair(Pair::model(), Pair::rows(), searching(DensityKind::none, 2));
  add(pair.solve(pair.rows(0)), counts);
  const DeadEnd ends[] = {{30, 0, 2}, {30, 10, 3}};
  for (const DeadEnd& end : ends)
    for (const DensityKind density : {DensityKind::none, DensityKind::mixture}) {
      Plan plan(end.model(), end.rows(), searching(density, static_cast<int>(end.together)));
      add(plan.solve(plan.rows(0)), counts);
    }
  return counts;
}

TEST(Plan, every_solver_and_every_stage_has_its_rows) {
  Counts counts = counts_of_all();
  for (const SolverRow& solver : solver_catalogue()) EXPECT_GE(counts[solver.name].asked, 5) << solver.name;
  const std::vector<PlanStage> stages = plan_stages();
  EXPECT_EQ(stages.size(), 12U);
  for (const PlanStage& stage : stages) {
    EXPECT_GE(counts[stage.name].asked, 1) << stage.name;
    // This stage only tells how close a row comes of which it is proven that it has no answer.
    if (std::string(stage.name) != "how close") EXPECT_GE(counts[stage.name].kept, 1) << stage.name;
  }
  EXPECT_EQ(counts.size(), solver_catalogue().size() + stages.size());
}

// What moves_all and is_pruned of the options rest on.
TEST(Plan, options_admit_solvers_of_one_kind) {
  std::size_t looked_at = 0;
  for (const auto& solver : choices_of<Solver>)
    for (const auto& sparsity : choices_of<SparsityKind>) {
      Options options;
      options.solver = solver.value;
      options.sparsity = sparsity.value;
      for (const SolverRow& row : solver_catalogue()) {
        if (!is_admitted(options, row)) continue;
        ++looked_at;
        EXPECT_EQ(row.moves_all, moves_all(options))
            << row.name << ", " << solver.name << ", " << sparsity.name;
        EXPECT_EQ(row.is_pruned, is_pruned(options))
            << row.name << ", " << solver.name << ", " << sparsity.name;
      }
    }
  EXPECT_GE(looked_at, 50U);
}

}  // namespace
}  // namespace scfe
