#include "scfe/encoder.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/number.h"
#include "scfe/explainer.h"
#include "tests/data/scratch.h"
#include "tests/helper/uniform.h"

namespace scfe::test {
namespace {

Column numeric(const std::string& name, Kind kind, double step) {
  Column column;
  column.feature.name = name;
  column.feature.kind = kind;
  column.feature.step = step;
  return column;
}

Column levelled(const std::string& name, Kind kind, std::vector<std::string> levels) {
  Column column;
  column.feature.name = name;
  column.feature.kind = kind;
  column.feature.levels = std::move(levels);
  return column;
}

Schema mixed() {
  Schema schema;
  schema.columns = {numeric("real", Kind::continuous, 0.01),
                    numeric("whole", Kind::integer, 1),
                    levelled("colour", Kind::categorical, {"blue", "a,b", "red"}),
                    levelled("school", Kind::ordinal, {"low", "mid", "high"}),
                    levelled("sex", Kind::binary, {"f", "m"}),
                    levelled("code", Kind::categorical, {"x", "y"})};
  schema.columns[5].feature.encoding = Encoding::code;
  schema.label = {"risk", {{"bad", {"bad"}}, {"good", {"good"}}}, {}};
  return schema;
}

Table mixed_table(const std::vector<std::vector<std::string>>& rows) {
  Table table;
  table.source = "q.csv";
  table.columns = {"risk", "sex", "code", "whole", "real", "colour", "school"};  // not in schema order
  for (const auto& row : rows) table.add_row(row);
  return table;
}

TEST(Encoder, MatchesColumnsByName) {
  const Encoder encoder(mixed());
  const Table table = mixed_table(
      {{"good", "m", "y", "4", "1.25", "a,b", "high"}, {"bad", "f", "x", "-2", "0.5", "red", "low"}});
  const Encoded encoded = encoder.encode_labelled(table);
  EXPECT_EQ(encoder.inputs(), 8U);
  EXPECT_EQ(encoder.input_names(), (std::vector<std::string>{"real", "whole", "colour=blue", "colour=a,b",
                                                             "colour=red", "school", "sex", "code"}));
  EXPECT_EQ(encoded.inputs.values,
            (std::vector<double>{1.25, 4, 0, 1, 0, 2, 1, 1, 0.5, -2, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(encoded.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(encoder.decode(encoded.inputs[0]),
            (std::vector<std::string>{"1.25", "4", "a,b", "high", "m", "y"}));
}

TEST(Encoder, RandomRowsComeBack) {
  Uniform random(5);
  for (int trial = 0; trial < 100; ++trial) {
    Schema schema;
    for (int j = random.integer(1, 6); j > 0; --j) {
      const std::string name = "c" + std::to_string(j);
      const int kind = random.integer(0, 4);
      const int decimals = random.integer(0, 6);
      std::vector<std::string> levels;
      for (int level = kind == 3 ? 2 : random.integer(1, 6); level > 0; --level)
        levels.push_back("level, \"" + std::to_string(level) + "\"\n");
      if (kind == 0) schema.columns.push_back(numeric(name, Kind::continuous, step_of_decimals(decimals)));
      if (kind == 1) schema.columns.push_back(numeric(name, Kind::integer, 1));
      if (kind == 2) schema.columns.push_back(levelled(name, Kind::categorical, levels));
      if (kind == 3) schema.columns.push_back(levelled(name, Kind::binary, levels));
      if (kind == 4) schema.columns.push_back(levelled(name, Kind::ordinal, levels));
      if (random.chance(0.3)) schema.columns.back().feature.encoding = Encoding::code;
    }
    const Encoder encoder(schema);
    Table table;
    for (const Column& column : schema.columns) table.columns.push_back(column.feature.name);
    for (int row = 0; row < 10; ++row)
      for (const Column& column : schema.columns) {
        const std::optional<int> decimals = decimals_of_step(column.feature.step.value_or(1));
        const auto last = static_cast<int>(column.feature.levels.size()) - 1;
        table.add(column.has_levels()
                      ? column.feature.levels[static_cast<std::size_t>(random.integer(0, last))]
                      : number_text(random(-1e4, 1e4), *decimals));
      }
    const Encoded encoded = encoder.encode(table);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const std::vector<std::string> cells = encoder.decode(encoded.inputs[i]);
      for (std::size_t j = 0; j < cells.size(); ++j) ASSERT_EQ(cells[j], table.cell(i, j));
    }
  }
}

TEST(Encoder, UnchangedFeaturesKeepTheirText) {
  const Encoder encoder(mixed());
  const Table table = mixed_table({{"", "m", "y", "4.0", "01.2345600", "red", "mid"}});
  Encoded encoded = encoder.encode(table);
  EXPECT_EQ(encoder.decode(encoded.inputs[0], table, 0),
            (std::vector<std::string>{"01.2345600", "4.0", "red", "mid", "m", "y"}));
  EXPECT_EQ(encoder.decode(encoded.inputs[0])[0], "1.23456")
      << "more precise than its column, and not rounded";
  encoded.inputs[0][0] = 7.3000000000000007;
  encoded.inputs[0][5] = 2;
  EXPECT_EQ(encoder.decode(encoded.inputs[0], table, 0),
            (std::vector<std::string>{"7.3", "4.0", "red", "high", "m", "y"}));
}

TEST(Encoder, BadCellsAreNamed) {
  const Encoder encoder(mixed());
  const auto failure = [&](const std::vector<std::string>& row) {
    Table table = mixed_table({{"good", "m", "y", "4", "1", "red", "high"}, row});
    table.first_row = 41;
    return error_of([&] { (void)encoder.encode_labelled(table); });
  };
  EXPECT_EQ(failure({"good", "m", "y", "4", "1.2.3", "red", "high"}),
            "q.csv: row 42, column 'real': expected a finite number, got '1.2.3'");
  EXPECT_EQ(failure({"good", "m", "y", "4", "nan", "red", "high"}),
            "q.csv: row 42, column 'real': expected a finite number, got 'nan'");
  EXPECT_EQ(failure({"good", "m", "y", "4.5", "1", "red", "high"}),
            "q.csv: row 42, column 'whole': expected a whole number, got '4.5'");
  EXPECT_EQ(failure({"good", "m", "y", "4", "1", "pink", "high"}),
            "q.csv: row 42, column 'colour': expected one of blue, a,b, red, got 'pink'");
  EXPECT_EQ(failure({"good", "", "y", "4", "1", "red", "high"}),
            "q.csv: row 42, column 'sex': expected a value (policy for missing ones: error; drop and impute "
            "are others, and a level of its own where the model has one: docs/schema.md), got ''");
  EXPECT_EQ(failure({"fine", "m", "y", "4", "1", "red", "high"}),
            "q.csv: row 42, column 'risk': expected one of bad, good, got 'fine'");
}

TEST(Encoder, MissingColumnsAreErrorsAndExtraOnesWarnings) {
  Schema schema = mixed();
  schema.ignore = {"known"};
  const Encoder encoder(schema);
  Table table;
  table.source = "q.csv";
  table.columns = {"real", "known", "whole", "note", "colour", "school", "sex"};
  EXPECT_EQ(encoder.warnings(table), std::vector<std::string>{"q.csv: column 'note' is not used"});
  EXPECT_EQ(error_of([&] { (void)encoder.encode(table); }),
            "q.csv: expected a column 'code', got columns real, known, whole, note, colour, school, sex");
}

TEST(Encoder, MissingCellsFollowThePolicy) {
  Schema schema = mixed();
  const Table table = mixed_table({{"good", "m", "y", "4", "?", "red", "high"},
                                   {"", "m", "y", "4", "1", "red", "high"},
                                   {"bad", "m", "y", "4", "2", "NA", "high"},
                                   {"bad", "m", "y", "5", "2", "red", "high"}});
  schema.missing = Missing::drop;
  Encoded kept = Encoder(schema).encode(table);
  EXPECT_EQ(kept.rows, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(kept.inputs.rows, 2U);
  EXPECT_EQ(kept.inputs[1][1], 5);
  EXPECT_EQ(Encoder(schema).encode_labelled(table).rows, std::vector<std::size_t>{3});
  schema.missing = Missing::impute;
  EXPECT_EQ(error_of([&] { (void)Encoder(schema).encode(table); }),
            "q.csv: row 1, column 'real': expected a value (the schema has no fill for it), got '?'");
  schema.columns[0].fill = "1.75";
  schema.columns[2].fill = "blue";
  const Encoder encoder(schema);
  kept = encoder.encode(table);
  EXPECT_EQ(kept.inputs[0][0], 1.75);
  EXPECT_EQ(kept.inputs[2][2], 1);
  EXPECT_EQ(encoder.decode(kept.inputs[0], table, 0)[0], "1.75") << "what was explained is what is written";
}

TEST(Encoder, UnknownLevelsMayBeOther) {
  Schema schema = mixed();
  schema.columns[2].other = "red";
  const Encoder encoder(schema);
  const Table table = mixed_table({{"good", "m", "y", "4", "1", "pink", "high"}});
  const Encoded encoded = encoder.encode(table);
  EXPECT_EQ(encoder.decode(encoded.inputs[0])[2], "red");
  EXPECT_EQ(encoder.decode(encoded.inputs[0], table, 0)[2], "pink");
}

TEST(Encoder, OneLevelOfAGroupIsOn) {
  const Encoder encoder(mixed());
  std::vector<double> inputs = {1, 2, 0, 1, 0, 2, 1, 1};
  EXPECT_EQ(encoder.values(inputs), (std::vector<double>{1, 2, 1, 2, 1, 1}));
  inputs[4] = 1;
  EXPECT_EQ(error_of([&] { (void)encoder.values(inputs); }),
            "feature 'colour': expected exactly one level on, got 2 of 3");
  inputs[4] = 0.5;
  EXPECT_NE(error_of([&] { (void)encoder.values(inputs); }), "");
  inputs[3] = inputs[4] = 0;
  EXPECT_NE(error_of([&] { (void)encoder.values(inputs); }), "");
  EXPECT_EQ(error_of([&] { (void)encoder.values(std::vector<double>(3)); }),
            "model inputs: expected 8, got 3");
  EXPECT_EQ(error_of([&] { (void)encoder.text(3, 1.5); }),
            "feature 'school': expected a level from 0 to 2, got 1.5");
}

TEST(Encoder, TellsTheExplainerOfLevels) {
  Schema schema = mixed();
  schema.columns[3].feature.immutable = true;
  const std::vector<Feature> features = Encoder(schema).features();
  ASSERT_EQ(features.size(), 6U);
  EXPECT_EQ(features[2].name, "colour");
  EXPECT_EQ(features[2].kind, Kind::categorical);
  EXPECT_EQ(features[2].width(), features[2].levels.size());
  EXPECT_EQ(features[3].kind, Kind::ordinal);
  EXPECT_EQ(features[3].max, 2);
  EXPECT_EQ(features[3].step, 1);
  EXPECT_TRUE(features[3].immutable);
  EXPECT_EQ(features[0].step, 0.01);
}

}  // namespace
}  // namespace scfe::test
