// German Credit, gradient boosting of 100 trees: the optimum over all cells is known for 100 rows, m = 1,
// 2, 3.
#include <gtest/gtest.h>

#include <cmath>

#include "model/trees/ensemble.h"
#include "solver/exact/exact.h"
#include "support/parallel.h"
#include "tests/helper/shared.h"

namespace scfe {
namespace {

using nlohmann::json;

struct German {
  std::vector<Feature> features;
  std::vector<bool> frozen;
  Space space;
  Writing writing;
  Ensemble ensemble;

  German() {
    const json meta = test::read_json(test::shared_dir() / "reference/german_meta.json");
    std::vector<double> scales;
    for (const json& given : meta.at("features")) {
      Feature feature;
      feature.name = given.at("name");
      frozen.push_back(given.at("dir") == 2);
      if (given.at("type") == 2) {
        feature.kind = Kind::categorical;
        feature.levels = given.at("levels");
      } else {
        feature.min = given.at("lo");
        feature.max = given.at("hi");
      }
      writing.step.push_back(given.at("step"));
      for (std::size_t i = 0; i < feature.width(); ++i) {
        scales.push_back(feature.is_category() ? 1 : given.at("rng").get<double>());
      }
      features.push_back(feature);
    }
    const Scaling scaling(std::vector<double>(scales.size(), 0.0), scales);
    space = Space(features, scaling, std::vector<double>(scales.size(), 1.0));
    read_trees(test::read_json(test::shared_dir() / "reference/german_gbt.json"));
  }

  void read_trees(const json& model) {
    ensemble.single = false;  // thresholds and values are whole numbers and a half
    ensemble.inputs = space.inputs();
    ensemble.base = {model.at("bias")};
    for (const json& tree : model.at("trees")) {
      const auto root = static_cast<std::uint32_t>(ensemble.nodes.size());
      ensemble.roots.push_back(root);
      const std::size_t count = tree.at("feature").size();
      ensemble.nodes.resize(root + count);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (const int input = tree.at("feature")[i]; input >= 0) {
          set_branch(ensemble, root + i,
                     {static_cast<std::uint32_t>(input), Compare::less_equal, tree.at("threshold")[i], false,
                      root + tree.at("left")[i].get<std::uint32_t>(),
                      root + tree.at("right")[i].get<std::uint32_t>()});
        } else {
          Ensemble::Node& leaf = ensemble.nodes[root + i];
          leaf.first = static_cast<std::uint32_t>(ensemble.values.size());
          ensemble.values.push_back({0, tree.at("value")[i]});
          leaf.last = leaf.first + 1;
        }
      }
    }
    check_ensemble(ensemble, "german_gbt.json");
  }

  Row row(const json& given) const {
    Row row;
    row.required = 1e-6;
    row.levels.resize(features.size());
    row.factual.resize(space.columns());
    row.lo.resize(space.columns());
    row.hi.resize(space.columns());
    for (std::size_t f = 0; f < features.size(); ++f) {
      const Feature& feature = features[f];
      const json& value = given.at(feature.name);
      if (!feature.is_category()) {
        row.values.push_back(value);
        continue;
      }
      const int own = static_cast<int>(std::ranges::find(feature.levels, value.get<std::string>()) -
                                       feature.levels.begin());
      row.values.push_back(own);
      for (int level = 0; level < static_cast<int>(feature.levels.size()); ++level)
        if (level == own || !frozen[f]) row.levels[f].push_back(level);
    }
    space.to_columns(row.values, row.factual);
    for (std::size_t f = 0; f < features.size(); ++f) {
      const std::size_t column = space.first(f);
      if (features[f].is_category() || frozen[f]) continue;
      row.lo[column] = std::min(0.0, space.to_work(column, *features[f].min) - row.factual[column]);
      row.hi[column] = std::max(0.0, space.to_work(column, *features[f].max) - row.factual[column]);
    }
    return row;
  }
};

TEST(Exact, german_credit_optima_are_met_and_proven) {
  SCFE_NEEDS_SHARED("reference/limits_german_gbt.json");
  const German german;
  const json limits = test::read_json(test::shared_dir() / "reference/limits_german_gbt.json");
  Pool pool(1);
  for (int m = 1; m <= 3; ++m) {
    std::vector<Row> rows;
    std::vector<json> wanted;
    for (const json& instance : limits.at("instances")) {
      if (instance.at("floor") != "none" || instance.at("m") != m) continue;
      rows.push_back(german.row(instance.at("x_f")));
      wanted.push_back(instance);
    }
    ASSERT_EQ(rows.size(), 100U);
    ExactOptions options;
    options.max_changes = m;
    options.fewest_first = false;
    options.required = 1e-6;
    std::vector<Found> found(rows.size());
    exact_rows({german.ensemble, german.space, german.writing, options}, rows, found, pool);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_TRUE(found[i].proven);
      const bool feasible = wanted[i].at("feasible");
      ASSERT_EQ(found[i].status, feasible ? Status::valid : Status::not_found) << "row " << i << " m " << m;
      if (!feasible) continue;
      double cost = 0;
      for (std::size_t f = 0; f < rows[i].values.size(); ++f)
        cost += german.space.cost(f, rows[i].values[f], found[i].values[f]);
      EXPECT_NEAR(std::sqrt(cost), wanted[i].at("cost").get<double>(), 1e-6) << "row " << i << " m " << m;
      EXPECT_NEAR(found[i].lower_bound, cost, 1e-12);
    }
  }
}

}  // namespace
}  // namespace scfe
