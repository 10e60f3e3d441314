// Reads models that XGBoost and LightGBM saved, compares them with the libraries' own margins, and rejects
// malformed files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "model/trees/ensemble.h"
#include "model/trees/read_lightgbm.h"
#include "model/trees/read_xgboost.h"
#include "scfe/error.h"
#include "tests/helper/shared_files.h"
#include "tests/helper/uniform.h"
#include "tests/model/expect_error.h"

namespace scfe {
namespace {

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::shared_ptr<const Model> parse(const std::string& bytes) {
  if (is_lightgbm(bytes)) return parse_lightgbm(bytes, "file");
  if (is_xgboost_ubjson(bytes) || is_xgboost_json(bytes)) return parse_xgboost(bytes, "file");
  throw Error("file", "a known kind", "another");
}

std::vector<std::filesystem::path> model_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test::fixture("trees")))
    if (!entry.path().filename().string().ends_with(".rows.json")) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

TEST(TreeFiles, margins_are_the_libraries_own) {
  const auto files = model_files();
  EXPECT_EQ(files.size(), 14U);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const auto model = parse(bytes_of(path));
    ASSERT_NE(model->ensemble(), nullptr);
    auto wanted_path = path;
    const auto wanted = test::read_json(wanted_path.replace_extension(".rows.json"));
    const std::size_t count = wanted.at("rows").size();
    Block x(model->features(), count), scores(model->scores(), count);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> row, z(model->scores());
      for (const auto& value : wanted.at("rows")[i])
        row.push_back(value.is_null() ? NAN : value.get<double>());
      ASSERT_EQ(row.size(), model->features());
      for (std::size_t j = 0; j < row.size(); ++j) x[j][i] = static_cast<float>(row[j]);
      model->ensemble()->scores(row, z);
      ASSERT_EQ(wanted.at("margins")[i].size(), z.size());
      for (std::size_t k = 0; k < z.size(); ++k)
        EXPECT_NEAR(z[k], wanted.at("margins")[i][k].get<double>(), 1e-5) << "row " << i;
    }
    const auto tape = model->tape(count);
    model->forward(x, scores, *tape);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < model->scores(); ++k)
        EXPECT_NEAR(scores[k][i], wanted.at("margins")[i][k].get<double>(), 1e-5) << "row " << i;
  }
}

TEST(TreeFiles, what_is_cut_off_or_spoilt_is_an_error_or_a_model) {
  test::Uniform random(1);
  int refused = 0;
  for (const auto& path : model_files()) {
    const std::string bytes = bytes_of(path);
    for (int trial = 0; trial < 60; ++trial) {
      std::string spoilt = bytes;
      if (trial % 2 == 0) {
        spoilt.resize(static_cast<std::size_t>(random.integer(1, static_cast<int>(bytes.size()) - 1)));
      } else {
        for (int i = 0; i < 4; ++i)
          spoilt[static_cast<std::size_t>(random.integer(0, static_cast<int>(bytes.size()) - 1))] =
              static_cast<char>(random.integer(0, 255));
      }
      try {
        const auto model = parse(spoilt);
        std::vector<double> row(model->features(), 1.0), z(model->scores());
        model->ensemble()->scores(row, z);
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 400);
}

TEST(TreeFiles, hostile_ones_are_refused) {
  const auto xgboost = [](const std::string& tree) {
    return R"({"learner":{"learner_model_param":{"base_score":"5E-1","num_class":"0","num_feature":"2"},)"
           R"("objective":{"name":"binary:logistic"},"gradient_booster":{"name":"gbtree","model":)"
           R"({"tree_info":[0],"trees":[{)" +
           tree + "}]}}}}";
  };
  const std::string rest = R"(,"split_indices":[0,0,0],"default_left":[0,0,0],"split_conditions":[0.5,1,2])";
  EXPECT_NO_THROW(parse(xgboost(R"("left_children":[1,-1,-1],"right_children":[2,-1,-1])" + rest)));
  test::expect_error([&] { parse(xgboost(R"("left_children":[1,0,-1],"right_children":[2,2,-1])" + rest)); },
                     {"cycle"});
  test::expect_error(
      [&] { parse(xgboost(R"("left_children":[1,-1,-1],"right_children":[7,-1,-1])" + rest)); },
      {"children"});
  test::expect_error([&] { parse(xgboost(R"("left_children":[1,-1],"right_children":[2,-1,-1])" + rest)); },
                     {"length"});
  test::expect_error(
      [&] {
        parse(xgboost(R"("left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[9,0,0],)"
                      R"("default_left":[0,0,0],"split_conditions":[0.5,1,2])"));
      },
      {"inputs below 2"});
  // Numbers with something behind them, and fractions where indices are expected.
  for (const std::string number : {"2abc", "", "1.5", "nan", "-1"}) {
    std::string model = xgboost(R"("left_children":[1,-1,-1],"right_children":[2,-1,-1])" + rest);
    const std::string given = R"("num_feature":"2")";
    model.replace(model.find(given), given.size(), R"("num_feature":")" + number + '"');
    test::expect_error([&] { parse(model); }, {"num_feature"});
  }
  test::expect_error(
      [&] { parse(xgboost(R"("left_children":[1.5,-1,-1],"right_children":[2,-1,-1])" + rest)); },
      {"whole numbers"});
  // Counts that are larger than the file, and endless nesting.
  test::expect_error([] { parse(std::string("{U\x07learner[$d#L\x7f\0\0\0\0\0\0\0", 23)); }, {"count"});
  test::expect_error([] { parse("{U\x07learner" + std::string(100000, '[')); }, {"levels"});
  test::expect_error([] { parse("{U\x07learner[$Z#l\x7f\xff\xff\xff"); }, {"type"});

  const std::string header =
      "tree\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=1\nobjective=binary\n\n";
  const std::string tree =
      "Tree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=0.5\ndecision_type=2\nleft_child=-1\n"
      "right_child=-2\nleaf_value=1 2\n\n";
  const std::string end = "end of trees\n\nparameters:\nend of parameters\n";
  EXPECT_NO_THROW(parse(header + tree + end));
  // Cut off behind the trees, and in the middle of them.
  test::expect_error([&] { parse(header + tree + "end of trees\n"); }, {"end of parameters"});
  test::expect_error([&] { parse(header + tree + "end of trees\n\nparameters:\n[seed: 1]\n"); }, {"cut off"});
  std::string counted = header;
  counted.insert(counted.find("objective"), "tree_sizes=300 300\n");
  test::expect_error([&] { parse(counted + tree + end); }, {"2 trees"});
  test::expect_error([&] { parse(header + tree); }, {"end of trees"});
  test::expect_error([&] { parse(header + end); }, {"trees"});
  for (const auto& [from, to, said] : std::vector<std::array<std::string, 3>>{
           {"left_child=-1", "left_child=0", "cycle"},
           {"left_child=-1", "left_child=-9", "children"},
           {"left_child=-1", "left_child=-9223372036854775808", "children"},
           {"split_feature=0", "split_feature=7", "inputs"},
           {"decision_type=2", "decision_type=1", "set of categories"},
           {"threshold=0.5", "threshold=nan", "numbers"},
           {"leaf_value=1 2", "leaf_value=1 x", "numbers"},
           {"leaf_value=1 2", "leaf_value=1 inf", "finite"},
           {"num_leaves=2", "num_leaves=3", "leaf values"}}) {
    std::string spoilt = tree;
    spoilt.replace(spoilt.find(from), from.size(), to);
    test::expect_error([&] { parse(header + spoilt + end); }, {said});
  }
}

}  // namespace
}  // namespace scfe
