// The tables, schemas and models that ship with the sources.
#include <gtest/gtest.h>

#include "scfe/bundle.h"
#include "tests/data/scratch.h"
#include "tests/helper/shared_files.h"

namespace scfe::test {
namespace {

struct Task {
  const char *name, *table;
  std::size_t inputs;
};
constexpr Task tasks[] = {{"wine", "wine", 13},
                          {"wine3", "wine", 13},
                          {"housing", "housing", 12},
                          {"wdbc", "wdbc", 30},
                          {"german_credit", "german_credit", 59}};

class BuiltIn : public testing::TestWithParam<Task> {};

// Only names, units, limits and classes were edited by hand; everything else must equal the inferred schema.
TEST_P(BuiltIn, SchemaIsWhatInferenceSays) {
  const Table table = read_csv(data_file(GetParam().table + std::string(".csv")));
  const Schema schema = read_schema(data_file(GetParam().name + std::string(".schema.json")));
  const Schema inferred = infer_schema(
      table, {.label = schema.label.column, .ignore = schema.ignore, .above = schema.label.above});
  ASSERT_EQ(schema.columns.size(), inferred.columns.size());
  for (std::size_t j = 0; j < schema.columns.size(); ++j) {
    const Feature &shipped = schema.columns[j].feature, &found = inferred.columns[j].feature;
    SCOPED_TRACE(shipped.name);
    EXPECT_EQ(shipped.name, found.name);
    EXPECT_EQ(shipped.kind, found.kind);
    EXPECT_EQ(shipped.min, found.min);
    EXPECT_EQ(shipped.max, found.max);
    EXPECT_EQ(shipped.levels, found.levels);
    EXPECT_TRUE(shipped.step == found.step || shipped.name == "color_intensity");
    EXPECT_EQ(schema.columns[j].fill, inferred.columns[j].fill);
  }
}

TEST_P(BuiltIn, RowsComeBack) {
  const Table table = read_csv(data_file(GetParam().table + std::string(".csv")));
  const Encoder encoder(read_schema(data_file(GetParam().name + std::string(".schema.json"))));
  EXPECT_EQ(encoder.inputs(), GetParam().inputs);
  EXPECT_TRUE(encoder.warnings(table).empty());
  const Encoded encoded = encoder.encode_labelled(table);
  ASSERT_EQ(encoded.rows.size(), table.rows());
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::vector<std::string> cells = encoder.decode(encoded.inputs[i]);
    for (std::size_t j = 0; j < cells.size(); ++j)
      ASSERT_EQ(cells[j], table.cell(i, table.column(encoder.schema().columns[j].feature.name)));
  }
}

std::size_t right_answers(const Model& model, const Encoded& rows) {
  std::size_t right = 0;
  const auto tape = model.tape(1);
  Block x(model.features(), 1), scores(model.scores(), 1);
  for (std::size_t i = 0; i < rows.inputs.rows; ++i) {
    for (std::size_t j = 0; j < model.features(); ++j) x[j][0] = static_cast<float>(rows.inputs[i][j]);
    model.forward(x, scores, *tape);
    int best = scores[0][0] > 0 ? 1 : 0;
    if (model.scores() > 1) best = 0;
    for (std::size_t k = 1; k < model.scores(); ++k)
      if (scores[k][0] > scores[static_cast<std::size_t>(best)][0]) best = static_cast<int>(k);
    right += best == rows.labels[i];
  }
  return right;
}

TEST_P(BuiltIn, ModelsPredictAsWellAsStated) {
  const std::string name = GetParam().name;
  const Encoded rows = Encoder(read_schema(data_file(name + ".schema.json")))
                           .encode_labelled(read_csv(data_file(GetParam().table + std::string(".csv"))));
  const nlohmann::json stated = read_json(data_file("models/accuracy.json")).at(name);
  EXPECT_EQ(stated.at("rows"), rows.inputs.rows);
  std::size_t models = 0;
  for (const char* ending : {".json", ".onnx"}) {
    const std::string path = data_file("models/" + name + ending);
    if (!std::filesystem::exists(path)) continue;
    const auto model = open_model(read_model_file(path));
    const double accuracy =
        static_cast<double>(right_answers(*model, rows)) / static_cast<double>(rows.inputs.rows);
    // The order of summation may change the class of a row at the decision boundary.
    EXPECT_NEAR(accuracy, stated.at("all").get<double>(), 1.5 / static_cast<double>(rows.inputs.rows))
        << path;
    ++models;
  }
  EXPECT_GE(models, 1U);
}

INSTANTIATE_TEST_SUITE_P(Tasks, BuiltIn, testing::ValuesIn(tasks),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(BuiltInCategories, AnswersAreRowsOfTheTable) {
  const Encoder encoder(read_schema(data_file("german_credit.schema.json")));
  const Encoded rows = encoder.encode_labelled(read_csv(data_file("german_credit.csv")));
  const auto model = open_model(read_model_file(data_file("models/german_credit.onnx")));
  const Explainer explainer(model, {rows.inputs, rows.labels, encoder.features()});
  Matrix factuals(0, rows.inputs.cols);
  const std::vector<int> predicted = explainer.predict(rows.inputs);
  for (std::size_t i = 0; i < rows.inputs.rows && factuals.rows < 20; ++i) {
    if (predicted[i] != 0) continue;
    factuals.values.insert(factuals.values.end(), rows.inputs[i].begin(), rows.inputs[i].end());
    ++factuals.rows;
  }
  const std::vector<Explanation> answers = explainer.explain(factuals);
  std::size_t valid = 0;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Explanation& e = answers[i];
    const std::vector<double> from = encoder.values(factuals[i]), to = encoder.values(e.counterfactual);
    std::size_t changes = 0;
    for (std::size_t f = 0; f < from.size(); ++f) {
      changes += from[f] != to[f];
      if (encoder.schema().columns[f].feature.immutable) EXPECT_EQ(from[f], to[f]);
    }
    EXPECT_EQ(changes, e.changes.size());
    EXPECT_LE(changes, 3U);
    valid += e.status == Status::valid;
    if (e.found()) EXPECT_GT(e.probability, 0.5);
  }
  EXPECT_GE(valid, 18U);
}

}  // namespace
}  // namespace scfe::test
